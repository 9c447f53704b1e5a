// A shadow of a rectangle, rounded or not, looks the same all along its sides: it is blurred with short sides, and what
// lies between the corners is laid as often as the sides are long. (Skia and WebRender do the same with nine patches.)

import type { Rect } from '#core/geometry.ts';
import type { PathData, PathSegment } from '#core/path.ts';
import type { BlurPlan } from './blur.ts';
import type { UprightOutline } from './upright-outline.ts';

/** What was taken out of a side. */
export interface Cut {
  /** Device px: from here on, as many px as `period` look like all that is missing behind them. */
  readonly at: number;
  readonly period: number;
  /** Device px by which what lies behind has moved up, a multiple of the blur's step, so that its grid stays. */
  readonly by: number;
}

export interface ShortSided {
  /** Device px. */
  readonly path: PathData;
  readonly bounds: Rect;
  readonly across: Cut | null;
  readonly down: Cut | null;
}

/** Device px of a side that stand for the rest of it, at least. */
const LEAST_PERIOD = 64;
/** Device px of a picture with short sides, at most: larger ones are blurred in parts, where they are seen. */
const MOST_PIXELS = 1 << 21;

/** Null where it would save nothing. The answer depends on the outline alone, and so does the picture. */
export function shortenSides({ path, bounds, across, down }: UprightOutline, plan: BlurPlan): ShortSided | null {
  const cuts = { across: cutOf(across, plan), down: cutOf(down, plan) };
  if (!cuts.across && !cuts.down) return null;
  const short = {
    ...bounds,
    width: bounds.width - (cuts.across?.by ?? 0),
    height: bounds.height - (cuts.down?.by ?? 0),
  };
  if ((short.width + 2 * plan.reach) * (short.height + 2 * plan.reach) > MOST_PIXELS) return null;
  const x = (value: number) => moved(value, cuts.across);
  const y = (value: number) => moved(value, cuts.down);
  return { path: path.map((segment) => withPoints(segment, x, y)), bounds: short, ...cuts };
}

function cutOf(side: { readonly from: number; readonly to: number } | null, { shift, reach }: BlurPlan): Cut | null {
  if (!side) return null;
  const step = 1 << shift;
  const period = step * Math.ceil(LEAST_PERIOD / step);
  const at = step * Math.ceil((side.from + reach) / step);
  const by = step * Math.floor((side.to - reach - at - period) / step);
  return by >= period ? { at, period, by } : null;
}

const moved = (value: number, cut: Cut | null) => (cut && value > cut.at ? value - cut.by : value);

function withPoints(segment: PathSegment, x: (value: number) => number, y: (value: number) => number): PathSegment {
  switch (segment[0]) {
    case 'Z':
      return segment;
    case 'C':
      return ['C', x(segment[1]), y(segment[2]), x(segment[3]), y(segment[4]), x(segment[5]), y(segment[6])];
    default:
      return [segment[0], x(segment[1]), y(segment[2])];
  }
}

export interface Run {
  /** Device px of the whole picture. */
  readonly at: number;
  readonly length: number;
  /** Where the same stands in the one with short sides. */
  readonly from: number;
}

/** Divides a stretch of the whole into such as stand side by side in the short one. */
export function* runsOf(start: number, length: number, cut: Cut | null): Generator<Run> {
  const end = start + length;
  for (let at = start; at < end; ) {
    let [from, stop] = [at, end];
    if (cut && at >= cut.at + cut.period + cut.by) from = at - cut.by;
    else if (cut && at >= cut.at) {
      const within = (at - cut.at) % cut.period;
      from = cut.at + within;
      stop = Math.min(end, at - within + cut.period, cut.at + cut.period + cut.by);
    } else if (cut) stop = Math.min(end, cut.at + cut.period);
    yield { at, length: stop - at, from };
    at = stop;
  }
}
