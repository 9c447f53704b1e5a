// Makes the picture that shows an image operation.
//
// A JPEG is embedded unchanged and clipped to the part that is shown, because decoding and re-encoding it would lose
// detail and take time. Any other format is cropped and scaled to what the page shows.

import { intersection, type Matrix, type Rect, type Size } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { nearestPixels, wholePixels } from '../nearest-pixels.ts';
import { type Canvas, scaleX, scaleY, visibleRect } from './canvas-space.ts';
import { type ColorMatrices, recolorPixels } from './color-matrix.ts';
import { type EncodedImage, encodeJpegStream, encodePixels } from './encoded-image.ts';
import { jpegStream } from './jpeg.ts';
import { keepImage } from './kept-images.ts';
import { readPaper } from './letter-paper.ts';
import type { PictureContext, PictureJob } from './picture.ts';

type ImageOp = Extract<PaintOp, { kind: 'image' }>;

/**
 * How many times the requested density a JPEG may have and still be embedded whole; beyond that it is a photo in a
 * thumbnail.
 */
const MOST_DENSE = 4;

/** Lossy formats: a good JPEG of their pixels loses no detail that was still there. */
export const LOSSY: readonly ImageResource['format'][] = ['jpeg', 'webp', 'avif'];

/** @returns null when the canvas shows nothing of it */
export function imagePicture(
  context: PictureContext,
  op: ImageOp,
  toCanvas: Matrix,
  colorMatrices: ColorMatrices | null,
): PictureJob | null {
  const image = context.resources.images.get(op.image);
  if (!image) throw new Error(`No image "${op.image}" in this render.`);
  if (image.format === 'pdf') return paperPicture(op, image);
  const plan = planImage(op, image, toCanvas, context.canvas, context.density);
  if (!plan) return null;
  if (colorMatrices === null && mayStayWhole(plan, image, context.density) && isStream(image.bytes)) {
    const { wholePlace, shown } = plan;
    return {
      key: `${op.image} whole`,
      place: wholePlace,
      clip: reachesBeyond(wholePlace, shown) ? shown : null,
      smooth: false,
      encode: () => keepImage(image.bytes, 'whole', async () => wholeJpeg(image)),
    };
  }
  const how = JSON.stringify([plan.source, plan.size, colorMatrices, ...(plan.isPixelated ? ['pixelated'] : [])]);
  return {
    key: `${op.image} ${how}`,
    place: plan.place,
    clip: plan.clip,
    smooth: false,
    encode: () => keepImage(image.bytes, how, () => cutOut(context, image, plan, colorMatrices)),
  };
}

/** A page of a PDF file, with its vectors. */
function paperPicture({ image: name, source, dest }: ImageOp, image: ImageResource): PictureJob {
  const [perX, perY] = [source.width / dest.width, source.height / dest.height];
  const place = {
    x: dest.x - source.x / perX,
    y: dest.y - source.y / perY,
    width: image.width / perX,
    height: image.height / perY,
  };
  const clip = reachesBeyond(place, dest) ? dest : null;
  return { key: `${name} paper`, place, clip, smooth: false, encode: () => readPaper(image) };
}

/** Not when it would be enlarged: readers differ in how they enlarge. */
function mayStayWhole({ size, source, density }: ImagePlan, image: ImageResource, wanted: number): boolean {
  const isEnlarged = size.width > source.width || size.height > source.height;
  return image.format === 'jpeg' && !isEnlarged && density <= MOST_DENSE * wanted;
}

/** By the file's bytes in memory, which never change. */
const STREAMS = new WeakMap<Uint8Array, boolean>();

/** Whether PDF can embed a JPEG file unchanged. */
function isStream(file: Uint8Array): boolean {
  let known = STREAMS.get(file);
  if (known === undefined) {
    known = jpegStream(file) !== null;
    STREAMS.set(file, known);
  }
  return known;
}

function wholeJpeg({ bytes }: ImageResource): EncodedImage {
  const stream = jpegStream(bytes);
  if (!stream) throw new Error('unreachable: it was a stream when the picture was planned');
  return encodeJpegStream(stream);
}

async function cutOut(
  { tools, signal }: PictureContext,
  image: ImageResource,
  plan: ImagePlan,
  colorMatrices: ColorMatrices | null,
): Promise<EncodedImage> {
  const { source, size, isPixelated } = plan;
  const cropped = await tools.crop(image, source, isPixelated ? { width: source.width, height: source.height } : size);
  const { data, channels } = cropped;
  const pixels = isPixelated
    ? { ...size, channels, data: nearestPixels(data, channels, source, source, size) }
    : cropped;
  signal?.throwIfAborted();
  if (colorMatrices) recolorPixels(pixels.data, pixels.channels, colorMatrices);
  const mayLoseDetail = !isPixelated && LOSSY.includes(image.format) && !image.hasAlpha;
  return await encodePixels(pixels, mayLoseDetail ? tools.encodeJpeg : null);
}

// Decides what to embed of an image operation: which pixels, how many, and where they are placed.
//
// Only what the page shows goes into the file, at no more than the requested density and at no less than the canvas's
// own resolution: readers differ in how they enlarge, some by a pixel of offset, some into squares.

interface ImagePlan {
  /** The part of the image that is shown, whole image px. */
  readonly source: Rect;
  /** The embedded size in pixels. */
  readonly size: Size;
  /** Enlarged to squares of equal pixels, not smoothly. */
  readonly isPixelated: boolean;
  /** Where `source` is placed, in the operation's coordinates. */
  readonly place: Rect;
  /** Clips `place` where whole pixels extend a little beyond what is shown; else null. */
  readonly clip: Rect | null;
  /** Image px per canvas px, the larger of both directions. */
  readonly density: number;
  /** Where the whole image would be placed, in the operation's coordinates. */
  readonly wholePlace: Rect;
  /** The part of the operation that is shown, in its coordinates. */
  readonly shown: Rect;
}

/** A picture of nearly the right size is not resampled, because that would only soften it. */
const CLOSE_ENOUGH = 0.8;
/** Bounds memory; A4 at 600 dpi fits. */
const MAX_PIXELS = 36_000_000;
/** Layout arithmetic leaves rounding errors; less than a thousandth of a pixel counts as none. */
const CRUMB = 1e-3;

/**
 * @param density most embedded pixels per canvas px
 * @returns null when none of it is visible on the canvas
 */
export function planImage(
  op: ImageOp,
  image: ImageResource,
  toCanvas: Matrix,
  canvas: Canvas,
  density: number,
): ImagePlan | null {
  const visible = visibleRect(toCanvas, canvas);
  const shown = visible && intersection(op.dest, visible);
  if (!shown || op.source.width <= 0 || op.source.height <= 0) return null;

  const perX = op.source.width / op.dest.width;
  const perY = op.source.height / op.dest.height;
  const left = op.source.x + (shown.x - op.dest.x) * perX;
  const top = op.source.y + (shown.y - op.dest.y) * perY;
  const x = Math.max(0, Math.floor(left + CRUMB));
  const y = Math.max(0, Math.floor(top + CRUMB));
  const right = Math.min(image.width, Math.ceil(left + shown.width * perX - CRUMB));
  const bottom = Math.min(image.height, Math.ceil(top + shown.height * perY - CRUMB));
  if (right <= x || bottom <= y) return null;

  const source = { x, y, width: right - x, height: bottom - y };
  const place = {
    x: op.dest.x + (x - op.source.x) / perX,
    y: op.dest.y + (y - op.source.y) / perY,
    width: source.width / perX,
    height: source.height / perY,
  };
  const onCanvas = { width: place.width * scaleX(toCanvas), height: place.height * scaleY(toCanvas) };
  const isPixelated = op.isPixelated === true && wholePixels(image, source) !== null;
  return {
    source,
    isPixelated,
    size: isPixelated ? multipleOf(source, onCanvas) : embeddedSize(source, onCanvas, density, image.format === 'svg'),
    place,
    clip: reachesBeyond(place, shown) ? shown : null,
    density: Math.max(source.width / onCanvas.width, source.height / onCanvas.height),
    wholePlace: {
      x: op.dest.x - op.source.x / perX,
      y: op.dest.y - op.source.y / perY,
      width: image.width / perX,
      height: image.height / perY,
    },
    shown,
  };
}

/** The factor, at most 1, that scales a size down to the pixel limit. */
export function withinLimit({ width, height }: Size): number {
  return Math.min(1, Math.sqrt(MAX_PIXELS / Math.max(1, width * height)));
}

function embeddedSize(source: Size, onCanvas: Size, density: number, isVector: boolean): Size {
  const along = (have: number, onCanvas: number) => {
    if (isVector || onCanvas * density < have * CLOSE_ENOUGH) return onCanvas * density;
    return have < onCanvas * CLOSE_ENOUGH ? onCanvas : have;
  };
  const size = { width: along(source.width, onCanvas.width), height: along(source.height, onCanvas.height) };
  const shrink = withinLimit(size);
  return {
    width: Math.max(1, Math.round(size.width * shrink)),
    height: Math.max(1, Math.round(size.height * shrink)),
  };
}

/** A whole number of pixels for each of a picture that stays pixelated, at least one for each canvas px. */
function multipleOf(source: Size, onCanvas: Size): Size {
  const across = Math.max(1, Math.ceil(onCanvas.width / source.width - CRUMB));
  const down = Math.max(1, Math.ceil(onCanvas.height / source.height - CRUMB));
  const shrink = withinLimit({ width: source.width * across, height: source.height * down });
  const times = (length: number, factor: number) => length * Math.max(1, Math.floor(factor * shrink));
  return { width: times(source.width, across), height: times(source.height, down) };
}

/** Whether a place extends beyond what is shown of it. */
function reachesBeyond(place: Rect, shown: Rect): boolean {
  return (
    place.x < shown.x - CRUMB ||
    place.y < shown.y - CRUMB ||
    place.x + place.width > shown.x + shown.width + CRUMB ||
    place.y + place.height > shown.y + shown.height + CRUMB
  );
}
