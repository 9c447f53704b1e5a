// A display list in, RGBA pixels out.
//
// Every bound is checked before anything is drawn. What can be put together from kept rasters is; the rest is drawn in
// one piece, by way of SVG, and looks the same. Below here every length is in device px.

import type { Size } from '#core/geometry.ts';
import type { DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { AppError } from '#errors';
import { MAX_OUTPUT_PIXELS } from '#pixels/limits.ts';
import type { Raster } from '#pixels/raster.ts';
import { drawList } from './draw-list.ts';
import { checkOutlines } from './outline-work.ts';
import { type PlacedImage, type PlacedList, placeImages } from './place-images.ts';
import { drawRetained, type RetainedRaster } from './retained/draw-retained.ts';
import { snapGlyphs } from './snap-glyphs.ts';
import { toDevice } from './to-device.ts';

export type { Raster } from '#pixels/raster.ts';

/** Pixels of all scaled pictures of one render; beyond, the SVG would outgrow the longest string there is. */
const MAX_PICTURE_PIXELS = 60_000_000;
/** Canvas pixels times the groups that are drawn apart inside one another, each on a canvas of its own. */
const MAX_LAYERED_PIXELS = 10 * MAX_OUTPUT_PIXELS;

/** The raster of a canvas: its size in device px, rounded. */
function deviceSize(list: Size, scale: number): Size {
  const size = {
    width: Math.max(1, Math.round(list.width * scale)),
    height: Math.max(1, Math.round(list.height * scale)),
  };
  if (!(size.width * size.height <= MAX_OUTPUT_PIXELS)) {
    throw new AppError(
      'invalid_request',
      `The picture would be ${size.width} × ${size.height} px; at most ${MAX_OUTPUT_PIXELS / 1e6} million px are possible.`,
    );
  }
  return size;
}

const isDrawnApart = ({ opacity, blend, clip, filters }: GroupOp) =>
  opacity < 1 || blend !== 'normal' || clip !== null || filters.length > 0;

function layerDepth(ops: readonly PaintOp[]): number {
  let deepest = 0;
  for (const op of ops) {
    if (op.kind === 'group') deepest = Math.max(deepest, layerDepth(op.ops) + (isDrawnApart(op) ? 1 : 0));
  }
  return deepest;
}

function checkPictures(placed: Iterable<PlacedImage>): void {
  let pixels = 0;
  for (const { size } of placed) pixels += size.width * size.height;
  if (pixels <= MAX_PICTURE_PIXELS) return;
  throw new AppError(
    'invalid_request',
    `The images cover more than ${MAX_PICTURE_PIXELS / 1e6} million px in all; make them fewer or smaller.`,
  );
}

/**
 * Draws a list. Its canvas becomes `scale` times as large, rounded to whole px.
 *
 * @param scale device px per canvas px
 * @throws AppError `invalid_request` when the raster, its pictures, outlines or nested groups would be too large
 */
export async function rasterize(list: DisplayList, resources: Resources, scale: number): Promise<RetainedRaster> {
  const placed = place(list, resources, scale);
  const retained = await drawRetained(placed, resources);
  return retained ?? { ...(await drawList(snapped(placed), resources)), ground: null };
}

/** As `rasterize`, in one piece and with every letter where it was laid out: for a picture among vectors. */
export async function rasterizePicture(list: DisplayList, resources: Resources, scale: number): Promise<Raster> {
  return drawList(place(list, resources, scale), resources);
}

/** @throws AppError as `rasterize` */
function place(list: DisplayList, resources: Resources, scale: number): PlacedList {
  const device = deviceSize(list, scale);
  if (layerDepth(list.ops) * device.width * device.height > MAX_LAYERED_PIXELS) {
    throw new AppError('invalid_request', 'The picture is too large for so many groups inside one another.');
  }
  const inDevicePixels = toDevice(list, scale, device, resources);
  checkOutlines(inDevicePixels.ops, device.height);
  const placed = placeImages(inDevicePixels, resources.images);
  checkPictures(placed.images.values());
  return placed;
}

/** As both ways of drawing a list show its letters. */
export function snapped({ list, images }: PlacedList): PlacedList {
  return { list: { ...list, ops: list.ops.map((op) => snapGlyphs(op)) }, images };
}
