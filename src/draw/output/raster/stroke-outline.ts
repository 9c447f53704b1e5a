// Converts a stroked path to polygons that cover the stroke (SVG 2 §13.5), to be filled with the nonzero rule.
//
// Each line is a rectangle, and each corner and end its own polygon. All have the same orientation, so that overlaps
// only increase the winding number, and loops and cusps of offset curves need no handling.

import {
  inflate,
  intersection,
  type Matrix,
  type Point,
  type Rect,
  roundOut,
  transformPoint,
  transformRect,
} from '#core/geometry.ts';
import { strokeReach } from '#core/paint/bounds.ts';
import type { Stroke } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import { flattened, type OnCurve, PolygonList, type Polyline } from './flat-path.ts';
import { TOO_MANY_EDGES, TooMuchToDraw } from './too-much-to-draw.ts';

/** Largest deviation of the outline, device px. */
const TOLERANCE = 0.05;

export interface StrokeOutline {
  /** In the coverage kernel's form. */
  readonly numbers: Float64Array;
  /** 1, or the dashed fraction of the line if the dashes are too fine to be distinguished. */
  readonly share: number;
}

/**
 * @param matrix from the path's coordinates to device px
 * @param area the visible device px
 */
export function strokeOutline(path: PathData, stroke: Stroke, matrix: Matrix, area: Rect): StrokeOutline {
  const [a, b, c, d] = matrix;
  const scale = Math.max(Math.hypot(a, b), Math.hypot(c, d));
  const polygons = new PolygonList(area);
  if (!(scale > 0)) return { numbers: polygons.numbers, share: 1 };
  const pen = new Pen(stroke, matrix, scale, polygons);
  const lines = flattened(path, TOLERANCE / scale);
  const { dash } = stroke;
  const period = dash.reduce((sum, length) => sum + length, 0);
  if (!(period > 0)) {
    for (const line of lines) pen.draw(line);
    return { numbers: polygons.numbers, share: 1 };
  }
  if (isTooFine(period * scale)) {
    const pattern = dash.length % 2 === 0 ? dash : [...dash, ...dash];
    const on = pattern.reduce((sum, length, i) => (i % 2 === 0 ? sum + length : sum), 0);
    for (const line of lines) pen.draw(line);
    return { numbers: polygons.numbers, share: on / pattern.reduce((sum, length) => sum + length, 0) };
  }
  const near = inflate(area, strokeReach(stroke) * scale + 1);
  dashed(lines, dash, matrix, near, (part) => pen.draw(part));
  return { numbers: polygons.numbers, share: 1 };
}

/** The device px of an area that a stroke may touch; null when there are none. */
export function strokedArea(bounds: Rect, stroke: Stroke, matrix: Matrix, area: Rect): Rect | null {
  return intersection(inflate(roundOut(transformRect(matrix, inflate(bounds, strokeReach(stroke)))), 1), area);
}

class Pen {
  readonly #half: number;
  readonly #stroke: Stroke;
  readonly #matrix: Matrix;
  readonly #polygons: PolygonList;
  /** Largest angle of an arc that one line replaces, radians. */
  readonly #step: number;

  constructor(stroke: Stroke, matrix: Matrix, scale: number, polygons: PolygonList) {
    this.#stroke = stroke;
    this.#half = stroke.width / 2;
    this.#matrix = matrix;
    this.#polygons = polygons;
    const radius = this.#half * scale;
    this.#step = radius > TOLERANCE ? 2 * Math.acos(1 - TOLERANCE / radius) : Math.PI;
  }

  draw({ points, isClosed, onCurves }: Polyline): void {
    const count = points.length / 2;
    if (count === 1) {
      this.#dot({ x: points[0] ?? 0, y: points[1] ?? 0 });
      return;
    }
    const at = (i: number): Point => ({ x: points[2 * (i % count)] ?? 0, y: points[2 * (i % count) + 1] ?? 0 });
    const segments = isClosed ? count : count - 1;
    const directions = Array.from({ length: segments }, (_, i) => direction(at(i), at(i + 1)));
    directions.forEach((along, i) => {
      const [from, to] = [at(i), at(i + 1)];
      const normal = this.#normal(along);
      this.#add([shifted(from, normal, 1), shifted(to, normal, 1), shifted(to, normal, -1), shifted(from, normal, -1)]);
      const next = directions[i + 1] ?? (isClosed ? directions[0] : undefined);
      if (next) this.#corner(to, along, next, onCurves[(i + 1) % count]);
    });
    const [first, last] = [directions[0], directions.at(-1)];
    if (isClosed || !first || !last) return;
    this.#cap(at(0), { x: -first.x, y: -first.y });
    this.#cap(at(count - 1), last);
  }

  /** Joins two lines. A curve ends in its own tangent, not in the direction of its last line. */
  #corner(at: Point, before: Point, after: Point, onCurve: OnCurve | undefined): void {
    if (onCurve?.isInside) {
      this.#join(at, before, after, 'round');
      return;
    }
    const arriving = onCurve?.arriving ? unit(onCurve.arriving) : before;
    const leaving = onCurve?.leaving ? unit(onCurve.leaving) : after;
    if (arriving !== before) this.#join(at, before, arriving, 'round');
    this.#join(at, arriving, leaving, this.#stroke.join);
    if (leaving !== after) this.#join(at, leaving, after, 'round');
  }

  /** A zero-length subpath (SVG 2 §13.5.2). */
  #dot(at: Point): void {
    if (this.#stroke.cap === 'butt') return;
    this.#cap(at, { x: 1, y: 0 });
    this.#cap(at, { x: -1, y: 0 });
  }

  #cap(at: Point, outward: Point): void {
    const { cap } = this.#stroke;
    if (cap === 'butt') return;
    const normal = this.#normal(outward);
    if (cap === 'round') {
      this.#add(this.#arc(at, normal, -Math.PI));
      return;
    }
    const ahead = { x: at.x + outward.x * this.#half, y: at.y + outward.y * this.#half };
    this.#add([shifted(at, normal, 1), shifted(ahead, normal, 1), shifted(ahead, normal, -1), shifted(at, normal, -1)]);
  }

  #join(at: Point, before: Point, after: Point, join: Stroke['join']): void {
    const cross = before.x * after.y - before.y * after.x;
    const dot = before.x * after.x + before.y * after.y;
    if (cross === 0 && dot > 0) return;
    // On the outer side, with the same orientation as all other polygons.
    const side = cross > 0 ? -1 : 1;
    const [from, to] = cross > 0 ? [after, before] : [before, after];
    const [start, end] = [this.#normal(from), this.#normal(to)];
    const corners = [at, shifted(at, start, side)];
    if (join === 'round') {
      const angle = -Math.abs(Math.atan2(cross, dot));
      corners.push(...this.#arc(at, { x: side * start.x, y: side * start.y }, angle).slice(1));
    } else {
      const ratio = Math.sqrt(2 / Math.max(1 + dot, 1e-12));
      if (join === 'miter' && ratio <= this.#stroke.miterLimit) {
        const share = side / (1 + dot);
        corners.push({ x: at.x + (start.x + end.x) * share, y: at.y + (start.y + end.y) * share });
      }
      corners.push(shifted(at, end, side));
    }
    this.#add(corners);
  }

  /** Points of the arc around `at`, starting at `at` + `arm`, both ends included. */
  #arc(at: Point, arm: Point, angle: number): Point[] {
    const steps = Math.max(1, Math.ceil(Math.abs(angle) / this.#step));
    return Array.from({ length: steps + 1 }, (_, i) => {
      const radians = (angle * i) / steps;
      const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
      return { x: at.x + cos * arm.x - sin * arm.y, y: at.y + sin * arm.x + cos * arm.y };
    });
  }

  #normal({ x, y }: Point): Point {
    return { x: -y * this.#half, y: x * this.#half };
  }

  #add(corners: readonly Point[]): void {
    this.#polygons.add(corners.map((corner) => transformPoint(this.#matrix, corner)));
  }
}

function direction(from: Point, to: Point): Point {
  return unit({ x: to.x - from.x, y: to.y - from.y });
}

function unit({ x, y }: Point): Point {
  const length = Math.hypot(x, y);
  return length > 0 ? { x: x / length, y: y / length } : { x: 1, y: 0 };
}

const shifted = ({ x, y }: Point, by: Point, times: number): Point => ({ x: x + by.x * times, y: y + by.y * times });

// Splits polylines into the dashes of a pattern that may be visible (SVG 2 §13.5.4), each a polyline.

/** Pattern length, device px, below which dashes only lighten the line. */
const FINEST = 0.1;
/** Most dashes and gaps of a stroke, a fifth of a second: more dashes than their polygons may have numbers. */
const MOST_WALKED = 1_000_000;

/** Whether the dashes of a pattern of this length, device px, are too fine to be distinguished. */
function isTooFine(period: number): boolean {
  return period < FINEST;
}

/**
 * @param dash alternating dash and gap lengths, in the lines' units; a list of odd length is repeated
 * @param near device px outside of which no dash is visible
 * @throws TooMuchToDraw when there are more visible dashes than could be distinguished
 */
function dashed(
  lines: readonly Polyline[],
  dash: readonly number[],
  matrix: Matrix,
  near: Rect,
  draw: (dash: Polyline) => void,
): void {
  const pattern = dash.length % 2 === 0 ? dash : [...dash, ...dash];
  let walked = 0;
  for (const line of lines) {
    walked = dashLine(line, pattern, matrix, near, draw, walked);
  }
}

/** @returns `walked` plus the number of dashes and gaps that were passed */
function dashLine(
  { points, isClosed, onCurves }: Polyline,
  pattern: readonly number[],
  matrix: Matrix,
  near: Rect,
  draw: (dash: Polyline) => void,
  walked: number,
): number {
  const period = pattern.reduce((sum, length) => sum + length, 0);
  const count = points.length / 2;
  /** The dash that is being drawn, if any. */
  let drawn: { points: number[]; onCurves: (OnCurve | undefined)[] } | null = null;
  let index = 0;
  let left = pattern[0] ?? 0;

  const add = (x: number, y: number, onCurve?: OnCurve) => {
    if (drawn?.points.at(-2) === x && drawn.points.at(-1) === y) return;
    drawn?.points.push(x, y);
    drawn?.onCurves.push(onCurve);
  };
  const finish = () => {
    if (drawn) draw({ ...drawn, isClosed: false });
    drawn = null;
  };
  /** Advances in the pattern without drawing. */
  const skip = (length: number) => {
    finish();
    let rest = length % period;
    while (rest >= left) {
      rest -= left;
      index = (index + 1) % pattern.length;
      left = pattern[index] ?? 0;
    }
    left -= rest;
  };

  const segments = isClosed ? count : count - 1;
  for (let i = 0; i < segments; i++) {
    const [x0 = 0, y0 = 0] = [points[2 * i], points[2 * i + 1]];
    const next = (i + 1) % count;
    const [x1 = 0, y1 = 0] = [points[2 * next], points[2 * next + 1]];
    const length = Math.hypot(x1 - x0, y1 - y0);
    const seen = seenPart(x0, y0, x1, y1, matrix, near);
    if (!seen) {
      skip(length);
      continue;
    }
    const [first, last] = seen;
    if (first > 0) skip(first * length);
    const place = (along: number): [number, number] => {
      const share = first + along / length;
      return [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
    };
    // Counted from where the line becomes visible: from the start of a very long line, a dash would be no step at all.
    const end = (last - first) * length;
    let at = 0;
    while (true) {
      const isOn = index % 2 === 0;
      if (isOn && !drawn) {
        drawn = { points: [], onCurves: [] };
        add(...place(at));
      }
      if (!(left <= end - at)) break;
      if (++walked > MOST_WALKED) throw new TooMuchToDraw(TOO_MANY_EDGES);
      at += left;
      if (isOn) {
        add(...place(at));
        finish();
      }
      index = (index + 1) % pattern.length;
      left = pattern[index] ?? 0;
    }
    left -= end - at;
    if (last < 1) skip((1 - last) * length);
    else if (drawn) add(x1, y1, onCurves[next]);
  }
  finish();
  return walked;
}

/** The part of a line, from 0 to 1, that lies in a rectangle (Liang and Barsky, 1984); null when none does. */
function seenPart(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  matrix: Matrix,
  { x, y, width, height }: Rect,
): [number, number] | null {
  const from = transformPoint(matrix, { x: x0, y: y0 });
  const to = transformPoint(matrix, { x: x1, y: y1 });
  let [first, last] = [0, 1];
  for (const [start, change, low, high] of [
    [from.x, to.x - from.x, x, x + width],
    [from.y, to.y - from.y, y, y + height],
  ] as const) {
    if (change === 0) {
      if (start < low || start > high) return null;
      continue;
    }
    const [a, b] = [(low - start) / change, (high - start) / change];
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  return first < last ? [first, last] : null;
}
