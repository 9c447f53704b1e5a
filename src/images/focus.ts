// An image in, the point that a crop should keep out, by libvips's own two measures.
//
// `attention`: skin tones, saturated colours, edges. `entropy`: where there is most detail.

import type { Sharp } from 'sharp';
import type { Point, Size } from '#core/geometry.ts';
import type { InspectedImage } from './inspect.ts';
import { decoded, openImage, openPixels, sharpLibrary } from './open-image.ts';
import { drawSvg } from './svg-image.ts';

/** The crop is sought on a reduced picture of about this side, px: the measures do not change, the time does. */
const SIDE = 320;

/** The largest whole-pixel crop of `aspect` within about SIDE px, and never an empty one. */
function cropSize(aspect: number): Size {
  return aspect >= 1
    ? { width: SIDE, height: Math.max(1, Math.round(SIDE / aspect)) }
    : { width: Math.max(1, Math.round(SIDE * aspect)), height: SIDE };
}

async function open(image: InspectedImage): Promise<Sharp> {
  if (image.format !== 'svg') return openImage(image.bytes);
  const scale = (2 * SIDE) / Math.max(image.width, image.height);
  const size = {
    width: Math.max(1, Math.round(image.width * scale)),
    height: Math.max(1, Math.round(image.height * scale)),
  };
  const { data } = await drawSvg(image.bytes, { x: 0, y: 0, width: image.width, height: image.height }, size);
  return openPixels(data, { ...size, channels: 4 });
}

/**
 * Where the interest of an image lies, 0..1 on each axis, in the sense of CSS `object-position`: a crop of `aspect`
 * (width / height) placed there is the one that shows most. Without an aspect the crop is a square.
 *
 * @throws AppError `invalid_request` when the file cannot be decoded
 */
export async function findFocus(
  image: InspectedImage,
  by: 'attention' | 'entropy',
  aspect: number | null,
): Promise<Point> {
  const crop = cropSize(aspect ?? 1);
  const pipeline = (await open(image)).resize({ ...crop, fit: 'cover', position: sharpLibrary().strategy[by] });
  const { info } = await decoded('image', pipeline.raw().toBuffer({ resolveWithObject: true }));
  const cover = Math.max(crop.width / image.width, crop.height / image.height);
  const along = (offset: number | undefined, full: number, shown: number) => {
    const spare = Math.round(full * cover) - shown;
    return spare <= 0 ? 0.5 : Math.min(1, Math.max(0, -(offset ?? 0) / spare));
  };
  return {
    x: along(info.cropOffsetLeft, image.width, crop.width),
    y: along(info.cropOffsetTop, image.height, crop.height),
  };
}
