// Splits polylines into the dashes of a pattern that may be visible (SVG 2 §13.5.4), each a polyline.

import { type Matrix, type Rect, transformPoint } from '#core/geometry.ts';
import type { OnCurve, Polyline } from './flat-path.ts';
import { TOO_MANY_EDGES, TooMuchToDraw } from './too-much-to-draw.ts';

/** Pattern length, device px, below which dashes only lighten the line. */
const FINEST = 0.1;
/** Most dashes and gaps of a stroke, a fifth of a second: more dashes than their polygons may have numbers. */
const MOST_WALKED = 1_000_000;

/** Whether the dashes of a pattern of this length, device px, are too fine to be distinguished. */
export function isTooFine(period: number): boolean {
  return period < FINEST;
}

/**
 * @param dash alternating dash and gap lengths, in the lines' units; a list of odd length is repeated
 * @param near device px outside of which no dash is visible
 * @throws TooMuchToDraw when there are more visible dashes than could be distinguished
 */
export function dashed(
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
