// How much of each pixel of a rectangle something covers.

import type { Rect } from '#core/geometry.ts';

/** Whole device px. */
export interface Mask extends Rect {
  /** Row by row. */
  readonly alphas: Uint8Array;
}

/** A mask without the rows and columns at its edges that show nothing; null when all of them do not. */
export function cropMask({ x, y, width, height, alphas }: Mask): Mask | null {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let row = 0; row < height; row++) {
    const start = row * width;
    let first = 0;
    while (first < width && alphas[start + first] === 0) first++;
    if (first === width) continue;
    let last = width;
    while (alphas[start + last - 1] === 0) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, row);
    bottom = row + 1;
  }
  if (left >= right) return null;
  const cropped = new Uint8Array((right - left) * (bottom - top));
  for (let row = top; row < bottom; row++) {
    cropped.set(alphas.subarray(row * width + left, row * width + right), (row - top) * (right - left));
  }
  return { x: x + left, y: y + top, width: right - left, height: bottom - top, alphas: cropped };
}
