// Where a picture lies in the box that crops it, and the focus and zoom that put it elsewhere.

import type { Point, Rect, Size } from '#core/geometry.ts';
import { objectRect } from '#core/layout/image-fit.ts';
import type { ImageNode } from '#core/resolve/scene.ts';

export const [LEAST_ZOOM, MOST_ZOOM] = [1, 20];

export interface Crop {
  /** Fractions, as in the template. */
  readonly focus: Point;
  readonly zoom: number;
}

export interface CropBox {
  readonly box: Rect;
  readonly picture: Size;
  readonly fit: ImageNode['fit'];
}

/** All of the picture, canvas px before rotation. */
export const pictureRect = ({ box, picture, fit }: CropBox, { focus, zoom }: Crop): Rect =>
  objectRect(picture, box, fit, focus, zoom);

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The crop with the picture's corner as near to a point as the box allows: no part of it stays empty. */
export function cropAt(crop: CropBox, zoom: number, corner: Point, before: Point): Crop {
  const { width, height } = pictureRect(crop, { focus: before, zoom });
  const along = (start: number, length: number, of: number, at: number, old: number) => {
    const spare = length - of;
    return Math.abs(spare) < 0.5 ? old : rounded(between((at - start) / spare, 0, 1), 4);
  };
  const { box } = crop;
  return {
    zoom,
    focus: {
      x: along(box.x, box.width, width, corner.x, before.x),
      y: along(box.y, box.height, height, corner.y, before.y),
    },
  };
}

/** Moves the picture by a distance, px. */
export function panned(crop: CropBox, from: Crop, by: Point): Crop {
  const { x, y } = pictureRect(crop, from);
  return cropAt(crop, from.zoom, { x: x + by.x, y: y + by.y }, from.focus);
}

/** Zooms so that what is at a point stays there. */
export function zoomedAbout(crop: CropBox, from: Crop, zoom: number, point: Point): Crop {
  const to = rounded(between(zoom, LEAST_ZOOM, MOST_ZOOM), 3);
  const rect = pictureRect(crop, from);
  const grown = to / from.zoom;
  const corner = { x: point.x - (point.x - rect.x) * grown, y: point.y - (point.y - rect.y) * grown };
  return cropAt(crop, to, corner, from.focus);
}
