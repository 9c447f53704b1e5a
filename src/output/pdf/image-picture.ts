// An image operation in, the picture that shows it out.
//
// A JPEG of about the right size goes in as it is; anything else is cut and scaled to what the page shows.

import type { Matrix } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { type ColorMatrix, recolorPixels } from './color-matrix.ts';
import { type EncodedImage, encodeJpegStream, encodePixels } from './encoded-image.ts';
import { type ImagePlan, planImage } from './image-plan.ts';
import { jpegStream } from './jpeg.ts';
import { keepImage } from './kept-images.ts';
import type { PictureContext, PictureJob } from './picture.ts';

type ImageOp = Extract<PaintOp, { kind: 'image' }>;

/** Image px to a canvas px up to which a JPEG is embedded whole: a little waste is cheaper than a second loss. */
const MAX_DENSITY = 3;

/** Formats whose pixels have already lost detail, so that a good JPEG of them loses nothing that was there. */
export const LOSSY: readonly ImageResource['format'][] = ['jpeg', 'webp', 'avif'];

/** @returns null when the canvas shows nothing of it */
export function imagePicture(
  context: PictureContext,
  op: ImageOp,
  toCanvas: Matrix,
  colorMatrix: ColorMatrix | null,
): PictureJob | null {
  const image = context.resources.images.get(op.image);
  if (!image) throw new Error(`No image "${op.image}" in this render.`);
  const plan = planImage(op, image, toCanvas, context.canvas);
  if (!plan) return null;
  const how = JSON.stringify([plan.source, plan.size, colorMatrix]);
  const make = async () =>
    (colorMatrix === null ? wholeJpeg(image, plan) : null) ?? (await cutOut(context, image, plan, colorMatrix));
  return {
    key: `${op.image} ${how}`,
    place: plan.place,
    clip: plan.clip,
    smooth: false,
    encode: () => keepImage(image.bytes, how, make),
  };
}

function wholeJpeg(image: ImageResource, plan: ImagePlan): EncodedImage | null {
  const isEnlarged = plan.size.width > plan.source.width || plan.size.height > plan.source.height;
  if (image.format !== 'jpeg' || !plan.isWhole || plan.density > MAX_DENSITY || isEnlarged) return null;
  const stream = jpegStream(image.bytes);
  return stream && encodeJpegStream(stream);
}

async function cutOut(
  { tools }: PictureContext,
  image: ImageResource,
  plan: ImagePlan,
  colorMatrix: ColorMatrix | null,
): Promise<EncodedImage> {
  const pixels = await tools.crop(image, plan.source, plan.size);
  if (colorMatrix) recolorPixels(pixels.data, pixels.channels, colorMatrix);
  const mayLoseDetail = LOSSY.includes(image.format) && !image.hasAlpha;
  return await encodePixels(pixels, mayLoseDetail ? tools.encodeJpeg : null);
}
