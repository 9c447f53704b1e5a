// Reads from a matrix how user space appears on the canvas: its scale along each axis, and the part that is visible.

import { inflate, invert, type Matrix, type Rect, type Size, transformRect } from '#core/geometry.ts';

/** A canvas, and how far it goes on beyond its size, px. */
export interface Canvas extends Size {
  readonly bleed?: number | undefined;
}

/** The part of user space that the canvas shows, or null when the matrix flattens it. */
export function visibleRect(toCanvas: Matrix, { width, height, bleed = 0 }: Canvas): Rect | null {
  const fromCanvas = invert(toCanvas);
  return fromCanvas && transformRect(fromCanvas, inflate({ x: 0, y: 0, width, height }, bleed));
}

/** Canvas px per unit along x. */
export function scaleX(m: Matrix): number {
  return Math.hypot(m[0], m[1]);
}

/** Canvas px per unit along y. */
export function scaleY(m: Matrix): number {
  return Math.hypot(m[2], m[3]);
}
