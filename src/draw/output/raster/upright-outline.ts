// Finds the straight sides of a convex outline that has horizontal and vertical ones, such as a rounded rectangle.
//
// Within the range of two opposite sides the outline is a rectangle: everything there is inside, and every row or
// column looks like the next.

import type { Matrix, Rect } from '#core/geometry.ts';
import { type PathData, transformPath } from '#core/path.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface UprightOutline {
  /** The outline in device px. */
  readonly path: PathData;
  readonly bounds: Rect;
  /**
   * The range that the upper and the lower side share, device px; `to` is greater than `from`. Null when there is none.
   */
  readonly across: Range | null;
  /** The range that the left and the right side share. */
  readonly down: Range | null;
}

/** Null for an outline of several parts, one that is not convex, and a matrix that rotates or skews. */
export function uprightOutline(path: PathData, matrix: Matrix): UprightOutline | null {
  if (matrix[1] !== 0 || matrix[2] !== 0 || path.length < 5 || path.length > 20) return null;
  if (path[0]?.[0] !== 'M' || path.at(-1)?.[0] !== 'Z') return null;
  if (path.slice(1, -1).some(([command]) => command === 'M' || command === 'Z')) return null;
  const device = transformPath(path, matrix);
  const points = pointsOf(device);
  if (!isConvex(points)) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] ?? 0;
    const y = points[i + 1] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const sides = straightSides(device);
  return {
    path: device,
    bounds: { x: left, y: top, width: right - left, height: bottom - top },
    across: both(levelAt(sides, top), levelAt(sides, bottom)),
    down: both(uprightAt(sides, left), uprightAt(sides, right)),
  };
}

type Point = readonly [x: number, y: number];
type Side = readonly [from: Point, to: Point];

/** The x and y of end points and control points, alternating. */
function pointsOf(path: PathData): readonly number[] {
  const numbers: number[] = [];
  for (const segment of path) {
    for (let i = 1; i < segment.length; i++) numbers.push(segment[i] as number);
  }
  return numbers;
}

/** Whether a polygon turns in one direction only, and once around; curves with these control points then do too. */
function isConvex(points: readonly number[]): boolean {
  const last = points.length - 2;
  let x = points[last] ?? 0;
  let y = points[last + 1] ?? 0;
  let [edgeX, edgeY, signX, signY, way] = [0, 0, 0, 0, 0];
  // The loop goes around twice, and a convex polygon changes sign at most four times in x and in y.
  let [changesX, changesY] = [0, 0];
  for (let i = 0; i < 2 * points.length; i += 2) {
    const nextX = points[i % points.length] ?? 0;
    const nextY = points[(i % points.length) + 1] ?? 0;
    const dx = nextX - x;
    const dy = nextY - y;
    x = nextX;
    y = nextY;
    if (dx === 0 && dy === 0) continue;
    const turn = Math.sign(edgeX * dy - edgeY * dx);
    if (turn !== 0 && way !== 0 && turn !== way) return false;
    if (turn !== 0) way = turn;
    if (dx !== 0 && Math.sign(dx) !== signX) {
      changesX += signX === 0 ? 0 : 1;
      signX = Math.sign(dx);
    }
    if (dy !== 0 && Math.sign(dy) !== signY) {
      changesY += signY === 0 ? 0 : 1;
      signY = Math.sign(dy);
    }
    edgeX = dx;
    edgeY = dy;
  }
  return changesX <= 4 && changesY <= 4;
}

function straightSides(path: PathData): Side[] {
  const sides: Side[] = [];
  let at: Point = [0, 0];
  let start: Point = at;
  for (const segment of path) {
    const before = at;
    if (segment[0] === 'Z') at = start;
    else if (segment[0] === 'C') at = [segment[5], segment[6]];
    else at = [segment[1], segment[2]];
    if (segment[0] === 'M') start = at;
    if (segment[0] === 'L' || segment[0] === 'Z') sides.push([before, at]);
  }
  return sides;
}

function levelAt(sides: readonly Side[], y: number): Range | null {
  const side = sides.find(([a, b]) => a[1] === y && b[1] === y && a[0] !== b[0]);
  return side ? { from: Math.min(side[0][0], side[1][0]), to: Math.max(side[0][0], side[1][0]) } : null;
}

function uprightAt(sides: readonly Side[], x: number): Range | null {
  const side = sides.find(([a, b]) => a[0] === x && b[0] === x && a[1] !== b[1]);
  return side ? { from: Math.min(side[0][1], side[1][1]), to: Math.max(side[0][1], side[1][1]) } : null;
}

function both(one: Range | null, other: Range | null): Range | null {
  if (!one || !other) return null;
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  return from < to ? { from, to } : null;
}
