// Measures how far one picture is shifted from another, in fractions of a px, tile by tile along each axis.
//
// A tile's profile is its mean lightness by row (or column), in which text and boxes leave steps. The shift is the one
// that brings the two profiles closest. Antialiasing changes the slope of a step, not its place.

import { onWhite, type Picture } from './picture.ts';

/** Side of a tile, px; tiles overlap by half, so that each edge is well inside some tile. */
const TILE = 96;
/** Largest shift that is tried, px, and the step. */
const REACH = 3;
const STEP = 0.1;
/**
 * Root mean square difference, of 255, below which profiles count as equal: a soft light would fit as well a px away.
 */
const COINCIDENT = 1.5;

/** The error of a measured shift, px: profiles are interpolated linearly between pixels. */
export const SHIFT_ACCURACY = 0.25;

export interface Shift {
  readonly axis: 'x' | 'y';
  /** px, from the first picture to the second. */
  readonly by: number;
  /** The tile's top left. */
  readonly x: number;
  readonly y: number;
}

/** Returns the shift of every tile along both axes, the largest first. */
export function shiftsBetween(first: Picture, second: Picture): Shift[] {
  const [a, b] = [onWhite(first), onWhite(second)];
  const shifts: Shift[] = [];
  for (let y = 0; y + TILE / 2 <= a.height; y += TILE / 2) {
    for (let x = 0; x + TILE / 2 <= a.width; x += TILE / 2) {
      for (const axis of ['x', 'y'] as const) {
        shifts.push({ axis, by: shiftOf(profile(a, x, y, axis), profile(b, x, y, axis)), x, y });
      }
    }
  }
  return shifts.sort((one, other) => Math.abs(other.by) - Math.abs(one.by));
}

function profile(picture: Picture, left: number, top: number, axis: 'x' | 'y'): Float64Array {
  const width = Math.min(TILE, picture.width - left);
  const height = Math.min(TILE, picture.height - top);
  const [length, depth] = axis === 'x' ? [width, height] : [height, width];
  const sums = new Float64Array(length);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const byte = 4 * ((top + v) * picture.width + left + u);
      const [red, green, blue] = picture.pixels.subarray(byte, byte + 3);
      const at = axis === 'x' ? u : v;
      sums[at] = (sums[at] ?? 0) + (0.3 * (red ?? 0) + 0.59 * (green ?? 0) + 0.11 * (blue ?? 0)) / depth;
    }
  }
  return sums;
}

function shiftOf(a: Float64Array, b: Float64Array): number {
  let best = { by: 0, error: errorAt(a, b, 0) };
  if (Math.sqrt(best.error) < COINCIDENT) return 0;
  for (let steps = Math.round(-REACH / STEP); steps <= REACH / STEP; steps++) {
    const error = errorAt(a, b, steps * STEP);
    if (error < best.error) best = { by: steps * STEP, error };
  }
  return best.by;
}

/**
 * Variance of the difference between `a` and `b` moved back by `by`, with linear interpolation. A constant difference
 * does not count: it comes from rounding or colour, not from a shift.
 */
function errorAt(a: Float64Array, b: Float64Array, by: number): number {
  let sum = 0;
  let squares = 0;
  for (let i = REACH; i < a.length - REACH; i++) {
    const at = Math.floor(i + by);
    const part = i + by - at;
    const moved = (b[at] ?? 0) * (1 - part) + (b[at + 1] ?? b[at] ?? 0) * part;
    const difference = (a[i] ?? 0) - moved;
    sum += difference;
    squares += difference ** 2;
  }
  const count = a.length - 2 * REACH;
  // For equal profiles, rounding may make the result slightly negative.
  return Math.max(0, squares / count - (sum / count) ** 2);
}
