// A display list in, RGBA pixels out, by way of SVG.
//
// Every bound is checked before anything is drawn. The SVG holds each picture as pixels that were scaled beforehand.

import PQueue from 'p-queue';
import type { Size } from '#core/geometry.ts';
import type { DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { AppError } from '#errors';
import { MAX_OUTPUT_PIXELS } from '#pixels/limits.ts';
import type { Raster } from '#pixels/raster.ts';
import { scaleToPng } from '#pixels/scale.ts';
import { drawSvgText } from './draw-svg-text.ts';
import { type ImageOp, type PlacedImage, placeImages } from './place-images.ts';

export type { Raster } from '#pixels/raster.ts';

/** Pixels of all scaled pictures of one render; beyond, the SVG would outgrow the longest string there is. */
const MAX_PICTURE_PIXELS = 60_000_000;
/** Pictures of one render that are scaled at the same time. */
const CONCURRENCY = 8;
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

/** A `data:` URI for each operation; equal pictures are scaled once. */
async function scaleAll(placed: ReadonlyMap<ImageOp, PlacedImage>): Promise<ReadonlyMap<ImageOp, string>> {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const uris = new Map<ImageResource, Map<string, Promise<string>>>();
  const byOp = [...placed].map(async ([op, { image, source, size }]) => {
    const ofImage = uris.get(image) ?? new Map<string, Promise<string>>();
    uris.set(image, ofImage);
    const key = JSON.stringify([source, size]);
    const uri = ofImage.get(key) ?? queue.add(() => scaleToPng(image, source, size)).then(toDataUri);
    ofImage.set(key, uri);
    return [op, await uri] as const;
  });
  return new Map(await Promise.all(byOp));
}

function toDataUri(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.length).toString('base64')}`;
}

/**
 * Draws a list. Its canvas becomes `scale` times as large, rounded to whole px.
 *
 * @param scale device px per canvas px
 * @throws AppError `invalid_request` when the raster, its pictures or its nested groups would be
 */
export async function rasterize(list: DisplayList, resources: Resources, scale: number): Promise<Raster> {
  const size = deviceSize(list, scale);
  if (layerDepth(list.ops) * size.width * size.height > MAX_LAYERED_PIXELS) {
    throw new AppError('invalid_request', 'The picture is too large for so many groups inside one another.');
  }
  const placed = placeImages(list, resources.images, size);
  checkPictures(placed.images.values());
  const hrefs = await scaleAll(placed.images);
  const pictures = {
    imageHref: (op: ImageOp) => hrefs.get(op) ?? null,
    isOnGrid: (op: ImageOp) => placed.images.get(op)?.isOnGrid ?? false,
  };
  const svg =
    Number.isInteger(list.width * scale) && Number.isInteger(list.height * scale)
      ? writeSvg(placed.list, resources, { ...pictures, scale })
      : stretched(writeSvg(placed.list, resources, pictures), list, size);
  return drawSvgText(svg, size);
}

/** A drawing stretched to whole device pixels, so that the last row and column are never half covered. */
function stretched(svg: string, canvas: Size, { width, height }: Size): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${canvas.width} ${canvas.height}" preserveAspectRatio="none">${svg}</svg>`;
}
