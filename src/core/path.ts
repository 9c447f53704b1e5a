// Path data: the outlines of fills, strokes and clips.
//
// Every shape is reduced to absolute moveto, lineto, cubic curveto and closepath (as in usvg's Micro SVG), so a back
// end handles four commands and no arcs, quadratics or relative coordinates.

import type { Matrix, Rect } from './geometry.ts';

export type PathSegment =
  | readonly ['M', x: number, y: number]
  | readonly ['L', x: number, y: number]
  | readonly ['C', x1: number, y1: number, x2: number, y2: number, x: number, y: number]
  | readonly ['Z'];
export type PathData = readonly PathSegment[];

export type FillRule = 'nonzero' | 'evenodd';

/** The path with every point transformed by `m`. */
export function transformPath(path: PathData, m: Matrix): PathData {
  return withPoints(
    path,
    (x, y) => m[0] * x + m[2] * y + m[4],
    (x, y) => m[1] * x + m[3] * y + m[5],
  );
}

type Coordinate = (x: number, y: number) => number;

/** The path with every point mapped by `x` and `y`. */
export function withPoints(path: PathData, x: Coordinate, y: Coordinate): PathData {
  return path.map((segment): PathSegment => {
    switch (segment[0]) {
      case 'Z':
        return segment;
      case 'C': {
        const [, x1, y1, x2, y2, x3, y3] = segment;
        return ['C', x(x1, y1), y(x1, y1), x(x2, y2), y(x2, y2), x(x3, y3), y(x3, y3)];
      }
      default:
        return [segment[0], x(segment[1], segment[2]), y(segment[1], segment[2])];
    }
  });
}

/** The smallest upright rectangle around the curve itself, not its control points; `null` when there is no segment. */
export function pathBounds(path: PathData): Rect | null {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  let x = 0;
  let y = 0;
  const take = (px: number, py: number) => {
    left = Math.min(left, px);
    right = Math.max(right, px);
    top = Math.min(top, py);
    bottom = Math.max(bottom, py);
  };
  for (const segment of path) {
    if (segment[0] === 'Z') continue;
    if (segment[0] === 'C') {
      const [, x1, y1, x2, y2, x3, y3] = segment;
      for (const t of extremes(x, x1, x2, x3)) take(cubicAt(t, x, x1, x2, x3), y3);
      for (const t of extremes(y, y1, y2, y3)) take(x3, cubicAt(t, y, y1, y2, y3));
      [x, y] = [x3, y3];
    } else {
      [, x, y] = segment;
    }
    take(x, y);
  }
  return left <= right ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** A cubic Bézier's coordinate at `t`. */
function cubicAt(t: number, p0: number, p1: number, p2: number, p3: number): number {
  const u = 1 - t;
  return u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3;
}

/** The parameters within (0, 1) at which a coordinate of a cubic is extreme: the roots of its derivative. */
function extremes(p0: number, p1: number, p2: number, p3: number): number[] {
  const low = Math.min(p0, p3);
  const high = Math.max(p0, p3);
  // Control points between the ends cannot carry the curve beyond them.
  if (p1 >= low && p1 <= high && p2 >= low && p2 <= high) return [];
  const a = p3 - 3 * p2 + 3 * p1 - p0;
  const b = 2 * (p2 - 2 * p1 + p0);
  const c = p1 - p0;
  const roots: number[] = [];
  if (Math.abs(a) < 1e-9 * (Math.abs(b) + Math.abs(c))) {
    if (b !== 0) roots.push(-c / b);
  } else {
    const root = Math.sqrt(b * b - 4 * a * c);
    roots.push((-b + root) / (2 * a), (-b - root) / (2 * a));
  }
  return roots.filter((t) => t > 0 && t < 1);
}

/** Pieces of a curve that are measured as straight lines. */
const PIECES = 32;

/** How long the lines of a path are together. */
export function pathLength(path: PathData): number {
  let [length, x, y, startX, startY] = [0, 0, 0, 0, 0];
  const go = (toX: number, toY: number) => {
    length += Math.hypot(toX - x, toY - y);
    [x, y] = [toX, toY];
  };
  for (const segment of path) {
    if (segment[0] === 'M') [x, y, startX, startY] = [segment[1], segment[2], segment[1], segment[2]];
    else if (segment[0] === 'L') go(segment[1], segment[2]);
    else if (segment[0] === 'Z') go(startX, startY);
    else {
      const [, ax, ay, bx, by, endX, endY] = segment;
      const [fromX, fromY] = [x, y];
      for (let i = 1; i <= PIECES; i += 1) {
        const t = i / PIECES;
        const at = (p: number, q: number, r: number, s: number) =>
          (1 - t) ** 3 * p + 3 * t * (1 - t) ** 2 * q + 3 * t * t * (1 - t) * r + t ** 3 * s;
        go(at(fromX, ax, bx, endX), at(fromY, ay, by, endY));
      }
    }
  }
  return length;
}
