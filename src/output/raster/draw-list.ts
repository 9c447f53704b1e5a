// A placed list in, RGBA pixels out, by way of SVG and resvg: the plain path, which every other must look like.
//
// The SVG holds each picture as pixels that were scaled beforehand.

import PQueue from 'p-queue';
import { type Point, type Rect, type Size, translation } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import type { Raster } from '#pixels/raster.ts';
import { scaleToPng } from '#pixels/scale.ts';
import { drawSvgText } from './draw-svg-text.ts';
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
 * Draws a whole list.
 *
 * @param size device px of the canvas
 */
export async function drawList(
  { list, images }: PlacedList,
  resources: Resources,
  scale: number,
  size: Size,
): Promise<Raster> {
  const hrefs = await scaleAll([...images]);
  const pictures = {
    imageHref: (op: ImageOp) => hrefs.get(op) ?? null,
    isOnGrid: (op: ImageOp) => images.get(op)?.isOnGrid ?? false,
  };
  const svg =
    Number.isInteger(list.width * scale) && Number.isInteger(list.height * scale)
      ? writeSvg(list, resources, { ...pictures, scale })
      : stretched(writeSvg(list, resources, pictures), list, size);
  return drawSvgText(svg, size);
}

/** A drawing stretched to whole device pixels, so that the last row and column are never half covered. */
function stretched(svg: string, canvas: Size, { width, height }: Size): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${canvas.width} ${canvas.height}" preserveAspectRatio="none">${svg}</svg>`;
}

/** Operations of a list, what of the canvas to draw of them, and where in the result; whole device px. */
export interface Part extends Point {
  readonly ops: readonly PaintOp[];
  readonly area: Rect;
}

/**
 * Draws parts of a list side by side on nothing. Where an area cuts something off, the part must be alone.
 *
 * @param size of the result, device px
 */
export async function drawParts(
  parts: readonly Part[],
  size: Size,
  images: PlacedList['images'],
  resources: Resources,
  scale: number,
): Promise<Raster> {
  const shown = imageOps(parts.flatMap(({ ops }) => ops)).map((op) => [op, images.get(op)] as const);
  const hrefs = await scaleAll(shown.filter(isPlaced));
  const ops = parts.map(({ ops, area, x, y }): PaintOp => {
    const transform = translation((x - area.x) / scale, (y - area.y) / scale);
    return { kind: 'group', transform, opacity: 1, blend: 'normal', clip: null, filters: [], text: null, ops };
  });
  const list: DisplayList = { width: size.width / scale, height: size.height / scale, ops };
  const svg = writeSvg(list, resources, {
    imageHref: (op) => hrefs.get(op) ?? null,
    isOnGrid: (op) => images.get(op)?.isOnGrid ?? false,
    scale,
  });
  return drawSvgText(svg, size);
}

function imageOps(ops: readonly PaintOp[]): ImageOp[] {
  return ops.flatMap((op) => (op.kind === 'group' ? imageOps(op.ops) : op.kind === 'image' ? [op] : []));
}

function isPlaced(entry: readonly [ImageOp, PlacedImage | undefined]): entry is readonly [ImageOp, PlacedImage] {
  return entry[1] !== undefined;
}
