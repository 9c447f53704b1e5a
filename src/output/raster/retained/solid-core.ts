// A mask in, the rectangle in its middle that it covers wholly out: a large box is filled there, and only its edges are
// mixed with what lies below.

import type { Rect } from '#core/geometry.ts';
import type { Mask } from '../coverage.ts';

/** Columns from which filling saves more than cutting the rest into parts costs. */
const LEAST = 512;
const SOLID = Buffer.alloc(4096, 255);

/** Null where it would be narrow, or wider than the row that rows are compared with. */
export function solidCore({ x, y, width, height, alphas }: Mask): Rect | null {
  if (width < LEAST) return null;
  const middle = height >> 1;
  let [left, right] = [0, width];
  while (left < right && alphas[middle * width + left] !== 255) left++;
  while (right > left && alphas[middle * width + right - 1] !== 255) right--;
  const columns = right - left;
  if (columns < LEAST || columns > SOLID.length) return null;
  const isSolid = (row: number) => {
    const from = row * width + left;
    return SOLID.compare(alphas, from, from + columns, 0, columns) === 0;
  };
  if (!isSolid(middle)) return null;
  let [top, bottom] = [middle, middle + 1];
  while (top > 0 && isSolid(top - 1)) top--;
  while (bottom < height && isSolid(bottom)) bottom++;
  return { x: x + left, y: y + top, width: columns, height: bottom - top };
}

/** What is left of a rectangle without one inside of it. */
export function around(inner: Rect, { x, y, width, height }: Rect): readonly Rect[] {
  const [right, bottom] = [inner.x + inner.width, inner.y + inner.height];
  const parts = [
    { x, y, width, height: inner.y - y },
    { x, y: inner.y, width: inner.x - x, height: inner.height },
    { x: right, y: inner.y, width: x + width - right, height: inner.height },
    { x, y: bottom, width, height: y + height - bottom },
  ];
  return parts.filter((part) => part.width > 0 && part.height > 0);
}
