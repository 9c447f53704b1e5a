// Flattens outlines with curves to polylines, and collects polygons in the form that the coverage kernel reads.

import type { Point, Rect } from '#core/geometry.ts';
import type { PathData } from '#core/path.ts';
import { TOO_MANY_EDGES, TooMuchToDraw } from './too-much-to-draw.ts';

export interface Polyline {
  /** x and y alternate; at least one point, and never the same point twice in a row. */
  readonly points: readonly number[];
  readonly isClosed: boolean;
  /** By point; set where it lies inside a curve or at an end of one. */
  readonly onCurves: readonly (OnCurve | undefined)[];
}

/** How a curve passes through a point. */
export interface OnCurve {
  /** Whether the point is inside a curve: the lines that meet there form no corner of the outline. */
  readonly isInside: boolean;
  /**
   * Tangents of a curve that ends or begins there, of any length; its line segments have slightly different directions.
   */
  readonly arriving: Point | null;
  readonly leaving: Point | null;
}

const INSIDE: OnCurve = { isInside: true, arriving: null, leaving: null };

/** Most lines per curve. */
const MOST_LINES = 500;

/** @param tolerance largest distance of a line from its curve, in the path's units */
export function flattened(path: PathData, tolerance: number): readonly Polyline[] {
  const lines: Polyline[] = [];
  let points: number[] = [];
  let onCurves: (OnCurve | undefined)[] = [];
  let [startX, startY, penX, penY] = [0, 0, 0, 0];
  let isDrawn = false;

  const add = (x: number, y: number, onCurve: OnCurve | undefined) => {
    isDrawn = true;
    [penX, penY] = [x, y];
    if (points.at(-2) === x && points.at(-1) === y) return;
    points.push(x, y);
    onCurves.push(onCurve);
  };
  const begin = (x: number, y: number) => {
    points = [x, y];
    onCurves = [undefined];
    [startX, startY, penX, penY] = [x, y, x, y];
    isDrawn = false;
  };
  const end = (isClosed: boolean) => {
    if (isDrawn || isClosed) {
      if (isClosed && points.length > 2 && points[0] === points.at(-2) && points[1] === points.at(-1)) {
        points.length -= 2;
        const last = onCurves.pop();
        onCurves[0] = { isInside: false, leaving: onCurves[0]?.leaving ?? null, arriving: last?.arriving ?? null };
      }
      lines.push({ points, isClosed, onCurves });
    }
    begin(startX, startY);
  };

  for (const segment of path) {
    switch (segment[0]) {
      case 'M':
        end(false);
        begin(segment[1], segment[2]);
        break;
      case 'L':
        add(segment[1], segment[2], undefined);
        break;
      case 'C': {
        const [, x1, y1, x2, y2, x3, y3] = segment;
        const [x0, y0] = [penX, penY];
        const bend = Math.max(
          Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2),
          Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3),
        );
        // The second derivative is at most six times `bend`, and the error of a chord is at most an eighth of it over
        // n².
        const begun = { x: x1 !== x0 || y1 !== y0 ? x1 - x0 : x2 - x0, y: x1 !== x0 || y1 !== y0 ? y1 - y0 : y2 - y0 };
        const ended = { x: x2 !== x3 || y2 !== y3 ? x3 - x2 : x3 - x1, y: x2 !== x3 || y2 !== y3 ? y3 - y2 : y3 - y1 };
        const before = onCurves.length - 1;
        onCurves[before] = { isInside: false, arriving: onCurves[before]?.arriving ?? null, leaving: begun };
        const count = Math.max(1, Math.min(MOST_LINES, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))));
        for (let i = 1; i <= count; i++) {
          const t = i / count;
          const u = 1 - t;
          const [b0, b1, b2, b3] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
          if (i < count) add(b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3, b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3, INSIDE);
          else add(x3, y3, { isInside: false, arriving: ended, leaving: null });
        }
        break;
      }
      case 'Z':
        end(true);
    }
  }
  end(false);
  return lines;
}

/** Most numbers of all polygons: those of some 400,000 dashes, 50 MB. */
const MOST_NUMBERS = 6_000_000;
const MOVE = 0;
const LINE = 1;

/** Polygons that may be visible in an area; those outside it are left out. */
export class PolygonList {
  readonly #area: Rect;
  #numbers = new Float64Array(1024);
  #length = 0;

  constructor(area: Rect) {
    this.#area = area;
  }

  /** The numbers for the coverage kernel; valid until the next polygon is added. */
  get numbers(): Float64Array {
    return this.#numbers.subarray(0, this.#length);
  }

  /** @param corners device px */
  add(corners: readonly Point[]): void {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { x, y } of corners) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    const { x, y, width, height } = this.#area;
    if (!(left < x + width && right > x && top < y + height && bottom > y)) return;
    this.#grow(3 * corners.length);
    corners.forEach((corner, i) => {
      this.#numbers[this.#length++] = i === 0 ? MOVE : LINE;
      this.#numbers[this.#length++] = corner.x;
      this.#numbers[this.#length++] = corner.y;
    });
  }

  #grow(by: number): void {
    const needed = this.#length + by;
    if (needed > MOST_NUMBERS) {
      throw new TooMuchToDraw(TOO_MANY_EDGES);
    }
    if (needed <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(needed, 2 * this.#numbers.length));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}
