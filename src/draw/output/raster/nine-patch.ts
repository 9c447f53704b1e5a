// Shortens the sides of a rectangle for its shadow, which looks the same all along the sides: the rectangle, rounded or
// not, is blurred with short sides, and the part between the corners is repeated (nine-patch, as in Skia and
// WebRender).

import type { Rect } from '#core/geometry.ts';
import { type PathData, withPoints } from '#core/path.ts';
import type { BlurPlan } from './blur.ts';
import type { UprightOutline } from './upright-outline.ts';

/** The part that was removed from a side. */
export interface Cut {
  /** Device px: the `period` px from here on are repeated for all that is missing after them. */
  readonly at: number;
  readonly period: number;
  /**
   * Device px by which everything after it has moved, a multiple of the blur's step, so that the averaging grid stays
   * aligned.
   */
  readonly by: number;
}

export interface ShortSided {
  /** Device px. */
  readonly path: PathData;
  readonly bounds: Rect;
  readonly across: Cut | null;
  readonly down: Cut | null;
}

/** Least period, device px. */
const LEAST_PERIOD = 64;
/** Most device px of a picture with short sides: larger ones are blurred only where they are visible. */
const MOST_PIXELS = 1 << 21;

/** Null when it would save nothing. The result depends on the outline alone, so pixels do not depend on tiling. */
export function shortenSides({ path, bounds, across, down }: UprightOutline, plan: BlurPlan): ShortSided | null {
  const cuts = { across: cutOf(across, plan), down: cutOf(down, plan) };
  if (!cuts.across && !cuts.down) return null;
  const short = {
    ...bounds,
    width: bounds.width - (cuts.across?.by ?? 0),
    height: bounds.height - (cuts.down?.by ?? 0),
  };
  if ((short.width + 2 * plan.reach) * (short.height + 2 * plan.reach) > MOST_PIXELS) return null;
  const shorter = withPoints(
    path,
    (x) => moved(x, cuts.across),
    (_, y) => moved(y, cuts.down),
  );
  return { path: shorter, bounds: short, ...cuts };
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

export interface Run {
  /** Start in the whole picture, device px. */
  readonly at: number;
  readonly length: number;
  /** The corresponding start in the picture with short sides. */
  readonly from: number;
}

/** Divides a range of the whole picture into runs that are contiguous in the short one. */
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
