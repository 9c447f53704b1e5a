// Makes the picture that shows an image operation.
//
// A JPEG is embedded unchanged and clipped to the part that is shown, because decoding and re-encoding it would lose
// detail and take time. Any other format is cropped and scaled to what the page shows.

import type { Matrix } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { nearestPixels } from '../nearest-pixels.ts';
import { type ColorMatrices, recolorPixels } from './color-matrix.ts';
import { type EncodedImage, encodeJpegStream, encodePixels } from './encoded-image.ts';
import { type ImagePlan, planImage, reachesBeyond } from './image-plan.ts';
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
