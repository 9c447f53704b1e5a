// A display list in, RGBA pixels out.
//
// Every bound is checked before anything is drawn. What can be put together from kept rasters is; the rest is drawn in
// one piece, by way of SVG, and looks the same. Below here every length is in device px.

import type { Size } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { AppError } from '#errors';
import { MAX_OUTPUT_PIXELS } from '#images/limits.ts';
import type { Raster } from '#images/raster.ts';
import { drawList } from './draw-list.ts';
import { drawSvgApart, type Patience } from './draw-svg-apart.ts';
import { type DrawingWork, workOf } from './drawing-work.ts';
import { isDrawnApart } from './layer-room.ts';
import { type PlacedImage, type PlacedList, placeImages } from './place-images.ts';
import { drawRetained, type RetainedRaster } from './retained/draw-retained.ts';
import { snapGlyphs } from './snap-glyphs.ts';
import { toDevice } from './to-device.ts';
import { TooMuchToDraw } from './too-much-to-draw.ts';

export type { Raster } from '#images/raster.ts';

/** Pixels of all scaled pictures of one render; beyond, the SVG would outgrow the longest string there is. */
const MAX_PICTURE_PIXELS = 60_000_000;
/** Canvas pixels times the groups that are drawn apart inside one another, each on a canvas of its own. */
const MAX_LAYERED_PIXELS = 10 * MAX_OUTPUT_PIXELS;
/** ms of the rasteriser, at most, that are spent on a thread, where nothing ends it; beyond, in a process of its own. */
const MOST_TIME_HERE = 8_000;
/** What all outlines of a picture may rise and fall, px: longer than a drawing may take. */
const MOST_CLIMB = 40_000_000;
/** And of how many segments they may be: more would outgrow the longest string there is. */
const MOST_SEGMENTS = 30_000_000;
/** Pixels that have rasters of their own, at some 8 bytes, until they are put together. */
const MOST_RETAINED_PIXELS = 128_000_000;

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
 * @param patience for what takes long
 * @throws AppError `invalid_request` when the raster, its pictures, outlines or nested groups would be too large, or
 *   take too long or too much memory
 */
export async function rasterize(
  list: DisplayList,
  resources: Resources,
  scale: number,
  patience?: Patience,
): Promise<RetainedRaster> {
  const placed = place(list, resources, scale);
  const work = workOf(placed.list.ops, placed.list, resources.fonts);
  const isModest = work.timeWithMasks <= MOST_TIME_HERE && work.pixels <= MOST_RETAINED_PIXELS;
  const retained = isModest ? await drawRetained(placed, resources) : null;
  return retained ?? (await drawWhole(snapped(placed), work, resources, patience));
}

/** As `rasterize`, in one piece and with every letter where it was laid out: for a picture among vectors. */
export async function rasterizePicture(
  list: DisplayList,
  resources: Resources,
  scale: number,
  patience?: Patience,
): Promise<Raster> {
  const placed = place(list, resources, scale);
  return drawWhole(placed, workOf(placed.list.ops, placed.list, resources.fonts), resources, patience);
}

async function drawWhole(
  placed: PlacedList,
  { time, segments, climb }: DrawingWork,
  resources: Resources,
  patience: Patience | undefined,
): Promise<Raster> {
  patience?.signal.throwIfAborted();
  if (time <= MOST_TIME_HERE) return drawList(placed, resources);
  if (segments > MOST_SEGMENTS || climb > MOST_CLIMB) {
    throw new TooMuchToDraw(
      'has too many edges to be drawn at this size; give it fewer points or letters, or less room',
    );
  }
  return drawList(placed, resources, (svg, size) => drawSvgApart(svg, size, patience));
}

/** @throws AppError as `rasterize` */
function place(list: DisplayList, resources: Resources, scale: number): PlacedList {
  const device = deviceSize(list, scale);
  if (layerDepth(list.ops) * device.width * device.height > MAX_LAYERED_PIXELS) {
    throw new AppError('invalid_request', 'The picture is too large for so many groups inside one another.');
  }
  const placed = placeImages(toDevice(list, scale, device, resources), resources.images);
  checkPictures(placed.images.values());
  return placed;
}

/**
 * Which operation of a list asks for most of its drawing, by its place among them; -1 where there is none.
 *
 * @param scale as of `rasterize`
 */
export function heaviestOp(list: DisplayList, resources: Resources, scale: number): number {
  const device = deviceSize(list, scale);
  const times = list.ops.map((op) => {
    const { ops } = toDevice({ ...list, ops: [op] }, scale, device, resources);
    return workOf(ops, device, resources.fonts).time;
  });
  return times.indexOf(times.reduce((most, time) => Math.max(most, time), 0));
}

/** As both ways of drawing a list show its letters. */
export function snapped({ list, images }: PlacedList): PlacedList {
  return { list: { ...list, ops: list.ops.map((op) => snapGlyphs(op)) }, images };
}
