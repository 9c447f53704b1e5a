// Computes the distances between two boxes, which are shown while Alt is held.

import type { Rect } from '#core/geometry.ts';

/** A line to draw with its length as a label, canvas px. */
export interface Distance {
  readonly axis: 'x' | 'y';
  readonly from: number;
  readonly to: number;
  /** The position on the other axis. */
  readonly at: number;
}

/** The distances from `rect` to `other`: between facing sides, or all four if one box contains the other. */
export function distancesBetween(rect: Rect, other: Rect): readonly Distance[] {
  return [...alongAxis(rect, other, 'x'), ...alongAxis(rect, other, 'y')].filter(({ from, to }) => to - from > 0.01);
}

function alongAxis(rect: Rect, other: Rect, axis: 'x' | 'y'): readonly Distance[] {
  const [start, length, side, sideLength] =
    axis === 'x' ? (['x', 'width', 'y', 'height'] as const) : (['y', 'height', 'x', 'width'] as const);
  const [a0, a1] = [rect[start], rect[start] + rect[length]];
  const [b0, b1] = [other[start], other[start] + other[length]];
  const at = rect[side] + rect[sideLength] / 2;
  if (a1 <= b0) return [{ axis, from: a1, to: b0, at }];
  if (b1 <= a0) return [{ axis, from: b1, to: a0, at }];
  // The boxes overlap on this axis: measure between corresponding sides.
  return [
    { axis, from: Math.min(a0, b0), to: Math.max(a0, b0), at },
    { axis, from: Math.min(a1, b1), to: Math.max(a1, b1), at },
  ];
}
