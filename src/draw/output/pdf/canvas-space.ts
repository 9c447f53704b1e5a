// Reads from a matrix how user space appears on the canvas: its scale along each axis, and the part that is visible.

import { invert, type Matrix, type Rect, type Size, transformRect } from '#core/geometry.ts';

/** The part of user space that the canvas shows, or null when the matrix flattens it. */
export function visibleRect(toCanvas: Matrix, canvas: Size): Rect | null {
  const fromCanvas = invert(toCanvas);
  return fromCanvas && transformRect(fromCanvas, { x: 0, y: 0, ...canvas });
}

/** Canvas px per unit along x. */
export function scaleX(m: Matrix): number {
  return Math.hypot(m[0], m[1]);
}

/** Canvas px per unit along y. */
export function scaleY(m: Matrix): number {
  return Math.hypot(m[2], m[3]);
}
