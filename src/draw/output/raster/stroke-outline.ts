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
import { dashed, isTooFine } from './dashes.ts';
import { flattened, type OnCurve, PolygonList, type Polyline } from './flat-path.ts';

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
