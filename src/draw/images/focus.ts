// Finds the point of interest of an image that a crop should keep, by libvips's two measures.
//
// `attention`: skin tones, saturated colours, edges. `entropy`: the area with the most detail.

import type { Sharp } from 'sharp';
import type { Point, Size } from '#core/geometry.ts';
import { decodeImage } from './decode-image.ts';
import { bestCrop } from './decode-task.ts';
import { costOf, type InspectedImage } from './inspect.ts';
import { decoded, openPixels } from './open-image.ts';
import { drawSvg } from './svg-image.ts';

/**
 * The crop is searched on a picture reduced to about this side, px: that does not change the measures but takes less
 * time.
 */
const SIDE = 320;

/** The largest whole-pixel crop of `aspect` within about SIDE px; never empty. */
function cropSize(aspect: number): Size {
  return aspect >= 1
    ? { width: SIDE, height: Math.max(1, Math.round(SIDE / aspect)) }
    : { width: Math.max(1, Math.round(SIDE * aspect)), height: SIDE };
}

async function drawSmall(image: InspectedImage): Promise<Sharp> {
  const scale = (2 * SIDE) / Math.max(image.width, image.height);
  const size = {
    width: Math.max(1, Math.round(image.width * scale)),
    height: Math.max(1, Math.round(image.height * scale)),
  };
  const { data } = await drawSvg(image.bytes, { x: 0, y: 0, width: image.width, height: image.height }, size);
  return openPixels(data, { ...size, channels: 4 });
}

/**
 * The point of interest of an image, 0..1 on each axis, in the sense of CSS `object-position`: a crop of `aspect`
 * (width / height) at this position is the best one. Without an aspect the crop is a square.
 *
 * @throws AppError `invalid_request` when the file cannot be decoded
 */
export async function findFocus(
  image: InspectedImage,
  by: 'attention' | 'entropy',
  aspect: number | null,
): Promise<Point> {
  if (image.format === 'pdf') return { x: 0.5, y: 0.5 };
  const crop = cropSize(aspect ?? 1);
  const [left = 0, top = 0] =
    image.format === 'svg'
      ? await decoded('image', bestCrop(await drawSmall(image), crop, by))
      : await decodeImage('image', { ...image, cost: costOf(image) }, { want: 'focus', crop, by });
  const cover = Math.max(crop.width / image.width, crop.height / image.height);
  const along = (offset: number, full: number, shown: number) => {
    const spare = Math.round(full * cover) - shown;
    return spare <= 0 ? 0.5 : Math.min(1, Math.max(0, offset / spare));
  };
  return {
    x: along(left, image.width, crop.width),
    y: along(top, image.height, crop.height),
  };
}
