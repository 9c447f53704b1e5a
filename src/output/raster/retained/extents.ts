// What can really be seen of a blurred drawing: its tile without the rows and columns where nothing is.
//
// A blur reaches three standard deviations, and shows over two of them. The difference is what lets a text above a
// shadow, or under its faintest end, change without the shadow being drawn again.

import type { Rect, Size } from '#core/geometry.ts';
import { keptMemory } from '../../kept-memory.ts';
import type { Stretch } from './stretch.ts';
import type { Tile } from './surface.ts';

const extents = keptMemory.of<Rect | null>('extents');

const keyOf = (digest: string, { width, height }: Size) => `${digest} ${width}×${height}`;

/** Null: nothing at all; undefined: nobody has looked yet. */
export function keptExtent(digest: string, canvas: Size): Rect | null | undefined {
  return extents.get(keyOf(digest, canvas));
}

/** Rows and columns at the edges of pixels where nothing is. */
export interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Pixels without their margins. */
export interface Trimmed {
  /** None, where nothing shows at all. */
  readonly pixels: Uint32Array;
  readonly margins: Margins;
}

/** @param stretch how they will grow: nothing stands beside a small box that does not beside the large one */
export function trimmed(pixels: Uint32Array, { width, height }: Size, stretch: Stretch | null): Trimmed {
  const empty = marginsOf(pixels, { width, height });
  if (empty.left === width) return { pixels: new Uint32Array(0), margins: empty };
  const margins = stretch ? around(empty, stretch) : empty;
  return { pixels: cut(pixels, width, inside({ x: 0, y: 0, width, height }, margins)), margins };
}

function inside({ x, y, width, height }: Rect, { left, top, right, bottom }: Margins): Rect {
  return { x: x + left, y: y + top, width: width - left - right, height: height - top - bottom };
}

function marginsOf(pixels: Uint32Array, { width, height }: Size): Margins {
  let [left, top, right, bottom] = [width, height, width, height];
  for (let row = 0; row < height; row++) {
    const start = row * width;
    let first = 0;
    while (first < width && pixels[start + first] === 0) first++;
    if (first === width) continue;
    let last = width;
    while (pixels[start + last - 1] === 0) last--;
    left = Math.min(left, first);
    right = Math.min(right, width - last);
    top = Math.min(top, row);
    bottom = height - row - 1;
  }
  return { left, top, right, bottom };
}

/** A tile of trimmed pixels where they are seen, which is remembered for the drawing. */
export function withinMargins(tile: Tile, margins: Margins, digest: string, canvas: Size): Tile {
  const extent = tile.pixels.length > 0 ? inside(tile, margins) : null;
  extents.set(keyOf(digest, canvas), extent, 0);
  if (!extent) return { ...tile, width: 0, height: 0, stretch: null };
  const { left, top, right, bottom } = margins;
  const { stretch } = tile;
  return {
    ...tile,
    ...extent,
    stretch: stretch && {
      small: { width: stretch.small.width - left - right, height: stretch.small.height - top - bottom },
      middle: { x: stretch.middle.x - left, y: stretch.middle.y - top },
    },
  };
}

/** Margins that leave the column and the row that are repeated. */
function around(margins: Margins, { small, middle }: Stretch): Margins {
  const { left, top, right, bottom } = margins;
  return {
    left: Math.min(left, middle.x),
    top: Math.min(top, middle.y),
    right: Math.min(right, small.width - middle.x - 1),
    bottom: Math.min(bottom, small.height - middle.y - 1),
  };
}

/** A rectangle out of pixels whose rows are `stride` long. */
export function cut(pixels: Uint32Array, stride: number, { x, y, width, height }: Rect): Uint32Array {
  const part = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * stride + x;
    part.set(pixels.subarray(from, from + width), row * width);
  }
  return part;
}
