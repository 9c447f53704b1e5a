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

export function marginsOf(pixels: Uint32Array, { width, height }: Size): Margins {
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

/** A tile without its margins, which are remembered for the drawing. */
export function trimmed(tile: Tile, margins: Margins, digest: string, canvas: Size): Tile {
  const { stretch } = tile;
  const { width, height } = stretch ? stretch.small : tile;
  const { left, top, right, bottom } = stretch ? around(margins, stretch) : margins;
  const kept = { x: left, y: top, width: width - left - right, height: height - top - bottom };
  const extent = {
    x: tile.x + left,
    y: tile.y + top,
    width: tile.width - left - right,
    height: tile.height - top - bottom,
  };
  const isEmpty = kept.width <= 0 || kept.height <= 0;
  extents.set(keyOf(digest, canvas), isEmpty ? null : extent, 0);
  if (isEmpty) return { ...tile, width: 0, height: 0, pixels: new Uint32Array(0), stretch: null };
  return {
    ...tile,
    ...extent,
    pixels: cut(tile.pixels, width, kept),
    stretch: stretch && {
      small: { width: kept.width, height: kept.height },
      middle: { x: stretch.middle.x - left, y: stretch.middle.y - top },
    },
  };
}

/** Margins that leave the column and the row that are repeated, unless there is nothing at all. */
function around(margins: Margins, { small, middle }: Stretch): Margins {
  const { left, top, right, bottom } = margins;
  if (left === small.width) return margins;
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
