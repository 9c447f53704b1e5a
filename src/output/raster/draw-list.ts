// A placed list in, RGBA pixels out, by way of SVG and resvg: the plain path, which every other must look like.
//
// The SVG holds each picture as pixels that were scaled beforehand.

import PQueue from 'p-queue';
import { type Point, type Size, translation } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import type { Raster } from '#images/raster.ts';
import { scaleToPng } from '#images/scale.ts';
import { drawSvgText } from './draw-svg-text.ts';
import { canvasFor } from './layer-room.ts';
import type { ImageOp, PlacedImage, PlacedList } from './place-images.ts';

/** Pictures of one list that are scaled at the same time. */
const CONCURRENCY = 8;

/** A `data:` URI for each operation; equal pictures are scaled once. */
async function scaleAll(placed: readonly (readonly [ImageOp, PlacedImage])[]): Promise<ReadonlyMap<ImageOp, string>> {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const uris = new Map<ImageResource, Map<string, Promise<string>>>();
  const byOp = placed.map(async ([op, { image, source, size }]) => {
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
 * Draws a whole list, in device px.
 *
 * @param draw what its SVG text is drawn with
 * @throws AppError `invalid_request` when a group of it reaches too far
 */
export async function drawList(
  { list, images }: PlacedList,
  resources: Resources,
  draw: (svg: string, size: Size) => Promise<Raster> = drawSvgText,
): Promise<Raster> {
  const room = canvasFor(list, resources.fonts);
  const hrefs = await scaleAll([...images]);
  const svg = writeSvg({ ...list, ...room }, resources, {
    imageHref: (op: ImageOp) => hrefs.get(op) ?? null,
    isOnGrid: (op: ImageOp) => images.get(op)?.isOnGrid ?? false,
  });
  return cornerOf(await draw(svg, room), list);
}

function cornerOf(raster: Raster, { width, height }: Size): Raster {
  if (raster.width === width && raster.height === height) return raster;
  const pixels = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 4 * row * raster.width;
    pixels.set(raster.pixels.subarray(from, from + 4 * width), 4 * row * width);
  }
  return { width, height, pixels };
}

/** An operation of a list, and how far it is moved; whole device px. */
export interface Part extends Point {
  readonly op: PaintOp;
}

/**
 * Draws parts of a list side by side on nothing.
 *
 * @param size of the result, device px
 */
export async function drawParts(
  parts: readonly Part[],
  size: Size,
  images: PlacedList['images'],
  resources: Resources,
): Promise<Raster> {
  const shown = imageOps(parts.map(({ op }) => op)).map((op) => [op, images.get(op)] as const);
  const ops = parts.map(({ op, x, y }): PaintOp => {
    const transform = translation(x, y);
    return { kind: 'group', transform, opacity: 1, blend: 'normal', clip: null, filters: [], text: null, ops: [op] };
  });
  return drawList({ list: { ...size, ops }, images: new Map(shown.filter(isPlaced)) }, resources);
}

function imageOps(ops: readonly PaintOp[]): ImageOp[] {
  return ops.flatMap((op) => (op.kind === 'group' ? imageOps(op.ops) : op.kind === 'image' ? [op] : []));
}

function isPlaced(entry: readonly [ImageOp, PlacedImage | undefined]): entry is readonly [ImageOp, PlacedImage] {
  return entry[1] !== undefined;
}
