// Places an image in its box and finds the part of it that shows (CSS object-fit and object-position).
//
// It works on sizes alone, never on pixels, so all back ends crop alike.

import { intersection, type Point, type Rect, type Size } from '../geometry.ts';
import type { ImageNode } from '../resolve/scene.ts';

export interface ImagePlacement {
  /** The part of the image that shows, image px. */
  readonly source: Rect;
  /** Where that part goes, canvas px; never outside the box. */
  readonly dest: Rect;
}

/**
 * Fits an image into a box.
 *
 * `focus` is CSS `object-position` as fractions: what `cover` keeps and where `contain` rests; 0.5, 0.5 is the centre.
 * `zoom` enlarges the image inside the box, about that point. Returns `null` when nothing of the image can be seen.
 */
export function fitImage(image: Size, box: Rect, fit: ImageNode['fit'], focus: Point, zoom = 1): ImagePlacement | null {
  if (!(image.width > 0 && image.height > 0 && box.width > 0 && box.height > 0)) return null;

  const { x: scaleX, y: scaleY } = objectScale(image, box, fit, zoom);
  const object = objectRect(image, box, fit, focus, zoom);

  // The source is cropped, rather than an oversized image clipped, so that no hidden pixels are scaled or embedded.
  const dest = intersection(object, box);
  if (dest === null) return null;
  return {
    source: {
      x: Math.max(0, (dest.x - object.x) / scaleX),
      y: Math.max(0, (dest.y - object.y) / scaleY),
      width: Math.min(image.width, dest.width / scaleX),
      height: Math.min(image.height, dest.height / scaleY),
    },
    dest,
  };
}

/** Where all of the image would be if the box did not cut it, canvas px. Takes what `fitImage` takes, above 0 px. */
export function objectRect(image: Size, box: Rect, fit: ImageNode['fit'], focus: Point, zoom: number): Rect {
  const scale = objectScale(image, box, fit, zoom);
  const width = image.width * scale.x;
  const height = image.height * scale.y;
  return { x: box.x + (box.width - width) * focus.x, y: box.y + (box.height - height) * focus.y, width, height };
}

/** Canvas px per image px on each axis. */
function objectScale(image: Size, box: Size, fit: ImageNode['fit'], zoom: number): Point {
  const x = box.width / image.width;
  const y = box.height / image.height;
  const uniform = (scale: number) => ({ x: scale * zoom, y: scale * zoom });
  switch (fit) {
    case 'fill':
      return { x: x * zoom, y: y * zoom };
    case 'cover':
      return uniform(Math.max(x, y));
    case 'contain':
      return uniform(Math.min(x, y));
    case 'none':
      return uniform(1);
    case 'scale-down':
      return uniform(Math.min(1, x, y));
  }
}
