// What can really be seen of a blurred drawing: its tile without the rows and columns where nothing is.
//
// A blur reaches three standard deviations, and shows over two of them. The difference is what lets a text above a
// shadow, or under its faintest end, change without the shadow being drawn again.

import type { Rect, Size } from '#core/geometry.ts';
import { keptMemory } from '../../kept-memory.ts';
import type { Tile } from './surface.ts';

const extents = keptMemory.of<Rect | null>('extents');

const keyOf = (digest: string, scale: number, { width, height }: Size) => `${digest} ${scale} ${width}×${height}`;

/** Null: nothing at all; undefined: nobody has looked yet. */
export function keptExtent(digest: string, scale: number, device: Size): Rect | null | undefined {
  return extents.get(keyOf(digest, scale, device));
}

/** The part of a tile that shows anything, remembered for the drawing. */
export function trimmed(tile: Tile, digest: string, scale: number, device: Size): Tile {
  const { x, y, width, pixels } = tile;
  let [left, top, right, bottom] = [width, tile.height, 0, 0];
  for (let row = 0; row < tile.height; row++) {
    const start = row * width;
    let first = 0;
    while (first < width && pixels[start + first] === 0) first++;
    if (first === width) continue;
    let last = width;
    while (pixels[start + last - 1] === 0) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, row);
    bottom = row + 1;
  }
  const extent = right > left ? { x: x + left, y: y + top, width: right - left, height: bottom - top } : null;
  extents.set(keyOf(digest, scale, device), extent, 0);
  if (!extent) return { ...tile, width: 0, height: 0, pixels: new Uint32Array(0) };
  return { ...tile, ...extent, pixels: cut(pixels, width, { ...extent, x: left, y: top }) };
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
