// Encodes a glyph's outline as an entry of TrueType's `glyf` table (OpenType 1.9, "glyf"): a simple glyph without
// hints.
//
// HarfBuzz converts a TrueType font's quadratic curves to cubics; each is converted back to the single control point
// from which it came. Composite glyphs, instances of variable fonts and clusters of several glyphs need no special
// treatment.

import type { PathData } from '#core/path.ts';

export interface QuadraticGlyph {
  /** Even length; empty for a blank. */
  readonly bytes: Uint8Array;
  readonly points: number;
  readonly contours: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOnCurve: boolean;
}

const BLANK: QuadraticGlyph = { bytes: new Uint8Array(0), points: 0, contours: 0 };

/**
 * Largest distance, in font units, between the quadratic control points computed from either end of a cubic; HarfBuzz
 * computes in floats.
 */
const CRUMB = 0.05;
const MAX_COORDINATE = 16_383;
/** Counts of points and contours are 16-bit; a glyph with more points than this is not worth optimising. */
const MAX_POINTS = 10_000;

const ON_CURVE = 1;
const X_SHORT = 2;
const Y_SHORT = 4;
const REPEAT = 8;
/** With X_SHORT: the step is positive. Without: the coordinate does not change. */
const X_SAME = 16;
const Y_SAME = 32;
const MOST_REPEATED = 255;

/** @returns null when the outline has a curve that is not a quadratic, or exceeds the limits */
export function quadraticGlyph(outline: PathData): QuadraticGlyph | null {
  const contours = contoursOf(outline);
  if (!contours) return null;
  const points = contours.flat();
  if (points.length === 0) return BLANK;
  if (points.length > MAX_POINTS) return null;
  if (points.some(({ x, y }) => Math.abs(x) > MAX_COORDINATE || Math.abs(y) > MAX_COORDINATE)) return null;

  const bytes: number[] = [];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  for (const value of [contours.length, ...box]) bytes.push(...int16(value));
  let last = -1;
  for (const contour of contours) {
    last += contour.length;
    bytes.push(...int16(last));
  }
  bytes.push(...int16(0)); // no instructions
  writePoints(bytes, points);
  if (bytes.length % 2 === 1) bytes.push(0);
  return { bytes: Uint8Array.from(bytes), points: points.length, contours: contours.length };
}

function writePoints(bytes: number[], points: readonly Point[]): void {
  const flags: number[] = [];
  const [xs, ys]: [number[], number[]] = [[], []];
  let [x, y] = [0, 0];
  for (const point of points) {
    flags.push(
      (point.isOnCurve ? ON_CURVE : 0) |
        step(xs, point.x - x, X_SHORT, X_SAME) |
        step(ys, point.y - y, Y_SHORT, Y_SAME),
    );
    x = point.x;
    y = point.y;
  }
  for (let i = 0; i < flags.length; ) {
    const flag = flags[i] as number;
    let more = 0;
    while (flags[i + 1 + more] === flag && more < MOST_REPEATED) more++;
    if (more === 0) bytes.push(flag);
    else bytes.push(flag | REPEAT, more);
    i += 1 + more;
  }
  bytes.push(...xs, ...ys);
}

/** Writes a step along one axis; returns its flags. */
function step(bytes: number[], delta: number, short: number, same: number): number {
  if (delta === 0) return same;
  if (Math.abs(delta) < 256) {
    bytes.push(Math.abs(delta));
    return delta > 0 ? short | same : short;
  }
  bytes.push(...int16(delta));
  return 0;
}

/**
 * Contours with points in whole font units. On-curve points midway between two control points are left out, because
 * they are implied.
 */
function contoursOf(outline: PathData): readonly (readonly Point[])[] | null {
  const contours: Point[][] = [];
  let points: Point[] = [];
  let [x, y] = [0, 0];
  const end = () => {
    const contour = simplified(points);
    if (contour.length > 1) contours.push(contour);
    points = [];
  };
  for (const segment of outline) {
    if (segment[0] === 'Z') continue;
    if (segment[0] === 'M') end();
    if (segment[0] === 'C') {
      const [, x1, y1, x2, y2, x3, y3] = segment;
      const control = { x: (3 * x1 - x) / 2, y: (3 * y1 - y) / 2 };
      const same = { x: (3 * x2 - x3) / 2, y: (3 * y2 - y3) / 2 };
      if (Math.abs(control.x - same.x) > CRUMB || Math.abs(control.y - same.y) > CRUMB) return null;
      points.push({ ...control, isOnCurve: false }, { x: x3, y: y3, isOnCurve: true });
      [x, y] = [x3, y3];
    } else {
      points.push({ x: segment[1], y: segment[2], isOnCurve: true });
      [x, y] = [segment[1], segment[2]];
    }
  }
  end();
  return contours;
}

/** Drops the last point of a contour that ends where it began, and implied points. */
function simplified(points: readonly Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length > 1 && first && last?.isOnCurve && isNear(first, last);
  const ring = isClosed ? points.slice(0, -1) : points;
  return ring
    .filter((point, i) => {
      const [before, after] = [ring.at(i - 1), ring[(i + 1) % ring.length]];
      if (!point.isOnCurve || !before || !after || before.isOnCurve || after.isOnCurve) return true;
      return !isNear(point, { x: (before.x + after.x) / 2, y: (before.y + after.y) / 2 });
    })
    .map(({ x, y, isOnCurve }) => ({ x: Math.round(x), y: Math.round(y), isOnCurve }));
}

const isNear = (a: Omit<Point, 'isOnCurve'>, b: Omit<Point, 'isOnCurve'>) =>
  Math.abs(a.x - b.x) < CRUMB && Math.abs(a.y - b.y) < CRUMB;

const int16 = (value: number) => [(value >> 8) & 255, value & 255];
