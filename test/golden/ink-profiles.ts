// How far one picture lies from another, in fractions of a px: what is shifted, tile by tile, along each axis.
//
// A tile's profile is its mean lightness by row (or column): text and boxes leave steps in it. The shift is the one that
// brings the two profiles closest. Antialiasing changes the slope of a step, not its place.

import { onWhite, type Picture } from './picture.ts';

/** Side of a tile, px; tiles overlap by half, so that each edge lies well inside of some tile. */
const TILE = 96;
/** Farthest shift that is looked for, px, and the step. */
const REACH = 3;
const STEP = 0.1;
/** A profile with less of a step than this (of 255, root mean square between neighbours) tells nothing. */
const MIN_CONTRAST = 0.75;

/** How far off a shift may be told, px: between px, profiles are taken for straight lines. */
export const SHIFT_ACCURACY = 0.25;

export interface Shift {
  readonly axis: 'x' | 'y';
  /** px, from the first picture to the second. */
  readonly by: number;
  /** The tile's top left. */
  readonly x: number;
  readonly y: number;
}

/** The shift of every tile that has something to tell by, the farthest first. */
export function shiftsBetween(first: Picture, second: Picture): Shift[] {
  const [a, b] = [onWhite(first), onWhite(second)];
  const shifts: Shift[] = [];
  for (let y = 0; y + TILE / 2 <= a.height; y += TILE / 2) {
    for (let x = 0; x + TILE / 2 <= a.width; x += TILE / 2) {
      for (const axis of ['x', 'y'] as const) {
        const by = shiftOf(profile(a, x, y, axis), profile(b, x, y, axis));
        if (by !== null) shifts.push({ axis, by, x, y });
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

/** `null` when the profile is too flat to tell. */
function shiftOf(a: Float64Array, b: Float64Array): number | null {
  let contrast = 0;
  for (let i = REACH; i + 1 < a.length - REACH; i++) contrast += ((a[i + 1] ?? 0) - (a[i] ?? 0)) ** 2;
  if (Math.sqrt(contrast / a.length) < MIN_CONTRAST) return null;
  let best = { by: 0, error: Number.POSITIVE_INFINITY };
  for (let steps = Math.round(-REACH / STEP); steps <= REACH / STEP; steps++) {
    const by = steps * STEP;
    const error = errorAt(a, b, by);
    if (error < best.error) best = { by, error };
  }
  return best.by;
}

/** Mean square difference of `a` and `b` moved back by `by`, between px by straight lines. */
function errorAt(a: Float64Array, b: Float64Array, by: number): number {
  let sum = 0;
  for (let i = REACH; i < a.length - REACH; i++) {
    const at = Math.floor(i + by);
    const part = i + by - at;
    const moved = (b[at] ?? 0) * (1 - part) + (b[at + 1] ?? b[at] ?? 0) * part;
    sum += ((a[i] ?? 0) - moved) ** 2;
  }
  return sum / (a.length - 2 * REACH);
}
