// Places an image in its box and finds the part of it that shows (CSS object-fit and object-position).
//
// It works on sizes alone, never on pixels, so all back ends crop alike.

import { intersection, type Point, type Rect, type Size } from '../geometry.ts';
import type { ImageNode, Length, TileRepeat, Tiles } from '../resolve/scene.ts';
import { lengthOf } from './axis.ts';

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
 * `zoom` enlarges the image inside the box, about that point; `shift` moves it from there, px. Returns `null` when nothing of the image can be seen.
 */
export function fitImage(
  image: Size,
  box: Rect,
  fit: ImageNode['fit'],
  focus: Point,
  zoom = 1,
  shift: Point = { x: 0, y: 0 },
): ImagePlacement | null {
  if (!(image.width > 0 && image.height > 0 && box.width > 0 && box.height > 0)) return null;

  const { x: scaleX, y: scaleY } = objectScale(image, box, fit, zoom);
  const unmoved = objectRect(image, box, fit, focus, zoom);
  const object = { ...unmoved, x: unmoved.x + shift.x, y: unmoved.y + shift.y };

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

/** The most tiles behind a box. */
const MOST_TILES = 10_000;

/**
 * Where the tiles of a background are, each of which may be cut by the box; null = there are too many.
 *
 * @param natural the size of the picture, which may be its proportions alone; null = a gradient, which has neither
 */
export function tileRects(
  { size, position, repeat, area }: Tiles,
  natural: NaturalSize | null,
  box: Rect,
): readonly Rect[] | null {
  const { top, right, bottom, left } = area ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const placed = { width: Math.max(0, box.width - left - right), height: Math.max(0, box.height - top - bottom) };
  const tile = tileSize(size, natural, placed);
  if (!(Math.min(tile.width, tile.height, placed.width, placed.height) > 0)) return [];
  const across = tilesAlong(repeat[0], tile.width, { size: placed.width, before: left, after: right }, position[0]);
  const down = tilesAlong(repeat[1], tile.height, { size: placed.height, before: top, after: bottom }, position[1]);
  if (!(across.count * down.count <= MOST_TILES)) return null;
  const rects: Rect[] = [];
  for (let row = 0; row < down.count; row += 1) {
    for (let column = 0; column < across.count; column += 1) {
      const [x, y] = [box.x + across.first + column * across.step, box.y + down.first + row * down.step];
      rects.push({ x, y, width: across.length, height: down.length });
    }
  }
  return rects;
}

type NaturalSize = Size & { readonly hasNoSize?: true };

function tileSize(given: Tiles['size'], natural: NaturalSize | null, box: Size): Size {
  // CSS Images 3, 5.3: what has proportions alone is as large as it can be in its area.
  const isFree = natural?.hasNoSize === true && typeof given !== 'string' && given[0] === null && given[1] === null;
  const size = isFree ? 'contain' : given;
  if (typeof size === 'string') {
    if (!natural) return box;
    const [x, y] = [box.width / natural.width, box.height / natural.height];
    const scale = size === 'cover' ? Math.max(x, y) : Math.min(x, y);
    return { width: natural.width * scale, height: natural.height * scale };
  }
  const [width, height] = [lengthOf(size[0], box.width), lengthOf(size[1], box.height)];
  if (!natural) return { width: width ?? box.width, height: height ?? box.height };
  const ratio = natural.width / natural.height;
  return {
    width: width ?? (height === null ? natural.width : height * ratio),
    height: height ?? (width === null ? natural.height : width / ratio),
  };
}

/** The tiles along one side of an area, px, and of the box that is seen before and after it. */
function tilesAlong(
  repeat: TileRepeat,
  size: number,
  { size: box, before, after }: { readonly size: number; readonly before: number; readonly after: number },
  position: Length,
): { readonly first: number; readonly length: number; readonly step: number; readonly count: number } {
  const length = repeat === 'round' ? box / Math.max(1, Math.round(box / size)) : size;
  const offset = lengthOf(position, box - length) ?? 0;
  const fitting = Math.floor(box / length + 0.001);
  if (repeat === 'space' && fitting > 1) {
    const step = (box - length) / (fitting - 1);
    const more = Math.max(0, Math.ceil(before / step - 0.001));
    const count = fitting + more + Math.max(0, Math.ceil(after / step - 0.001));
    return { first: before - more * step, length, step, count };
  }
  if (repeat === 'no-repeat' || repeat === 'space') return { first: before + offset, length, step: 0, count: 1 };
  const first = before + offset - Math.ceil((before + offset) / length - 0.001) * length;
  return {
    first,
    length,
    step: length,
    count: Math.max(1, Math.ceil((before + box + after - first) / length - 0.001)),
  };
}
