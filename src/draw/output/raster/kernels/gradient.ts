// Fills a rectangle with a linear, radial or conic gradient (CSS Images 3 §3 and 4 §3.3), in AssemblyScript:
// premultiplied RGBA.
//
// A position along a gradient is 0 at its start and 1 at its end; beyond them, the first and last colours continue.
// Stops become slopes, colour = factor · position + bias, so that neighbouring pixels do not look up the same stop
// twice.

import { alphasOf, product } from './lanes';

/** Bytes of a slope: the position from which it applies, f32, and after 16 bytes its factors and biases, f32 each. */
const SLOPE: usize = 48;

const ZERO: usize = memory.data<f32>([0.0, 0.0, 0.0, 0.0], 16);
const ONE: usize = memory.data<f32>([1.0, 1.0, 1.0, 1.0], 16);
const BYTES: usize = memory.data<f32>([255.0, 255.0, 255.0, 255.0], 16);
/** Adding 2²³ rounds a number to the lowest bits of the sum. */
const ROUNDER: usize = memory.data<f32>([8388608.0, 8388608.0, 8388608.0, 8388608.0], 16);
const BYTE: usize = memory.data<u32>([255, 255, 255, 255], 16);
/** Of `turn`: the coefficients of the polynomial, 1 / 2π, a quarter, a half, and the least divisor, four times each. */
const TURN: usize = memory.data<f32>(
  [
    -0.0117212, -0.0117212, -0.0117212, -0.0117212, 0.05265332, 0.05265332, 0.05265332, 0.05265332, -0.11643287,
    -0.11643287, -0.11643287, -0.11643287, 0.19354346, 0.19354346, 0.19354346, 0.19354346, -0.33262347, -0.33262347,
    -0.33262347, -0.33262347, 0.99997726, 0.99997726, 0.99997726, 0.99997726, 0.15915494, 0.15915494, 0.15915494,
    0.15915494, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 1e-20, 1e-20, 1e-20, 1e-20,
  ],
  16,
);
/** The shuffle of four pixels' reds, greens, blues and alphas to pixels. */
const PIXELS: usize = memory.data<u8>([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], 16);
const COLORS: usize = memory.data<u32>([0xffffff, 0xffffff, 0xffffff, 0xffffff], 16);
/** For each of four pixels, a shuffle of the third bytes of its channels to the pixel's own position. */
const THIRDS: usize = memory.data<u8>(
  [
    2, 6, 10, 14, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 2, 6, 10, 14, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 2, 6, 10, 14, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 2, 6, 10, 14,
  ],
  16,
);

/**
 * Fills rows of RGBA with a radial or conic gradient; up to three pixels after the last are written as well.
 *
 * @param pixels address of the pixel whose middle is (x, y)
 * @param axes six f32, three per axis: the change along it per pixel across, per pixel down, and the value at (0, 0). A
 * radial position is the distance from (0, 0) on both; a conic one is the clockwise angle from the second axis's
 * negative end, in turns
 * @param slopes each applies from its position up to that of the next; the first from -∞, and the list ends with a
 * position of +∞
 */
export function fillGradient(
  isRadial: bool,
  pixels: usize,
  width: usize,
  rows: u32,
  x: f32,
  y: f32,
  axes: usize,
  slopes: usize,
  isOpaque: bool,
): void {
  const first = f32x4.add(f32x4.splat(x), f32x4(0, 1, 2, 3));
  const four = f32x4.splat(4);
  let slope = slopes;
  for (; rows > 0; rows--, y += 1, pixels += 4 * width) {
    let across = first;
    for (let at: usize = 0; at < 4 * width; at += 16) {
      const xs = along(across, y, axes);
      const ys = along(across, y, axes + 12);
      let places = held(isRadial ? distance(xs, ys) : turn(xs, ys));
      if (!holdsAt(places, slope)) slope = slopeAt(f32x4.extract_lane(places, 0), slope);
      if (holdsAt(places, slope)) {
        v128.store(pixels + at, Pixels.of(places, slope, isOpaque));
      } else {
        // More than one slope: each pixel separately.
        for (let i: usize = 0; i < 4; i++, places = v128.shuffle<u32>(places, places, 1, 2, 3, 0)) {
          slope = slopeAt(f32x4.extract_lane(places, 0), slope);
          store<u32>(pixels + at + 4 * i, i32x4.extract_lane(Pixels.of(places, slope, isOpaque), 0));
        }
      }
      across = f32x4.add(across, four);
    }
  }
}

/** The values of a row's pixels on an axis. */
function along(across: v128, y: f32, axis: usize): v128 {
  const ofRow = f32x4.splat(y * load<f32>(axis, 4) + load<f32>(axis, 8));
  return f32x4.add(f32x4.mul(across, v128.load32_splat(axis)), ofRow);
}

function distance(x: v128, y: v128): v128 {
  return f32x4.sqrt(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)));
}

/**
 * The clockwise angle from up, in turns: one octant by a minimax polynomial of the arc tangent (error below 1e-6), the
 * others by symmetry.
 */
function turn(x: v128, y: v128): v128 {
  const width = f32x4.abs(x);
  const height = f32x4.abs(y);
  const longer = f32x4.pmax(width, height);
  const ratio = f32x4.div(f32x4.pmin(width, height), f32x4.pmax(longer, v128.load(TURN, 144)));
  const square = f32x4.mul(ratio, ratio);
  // In pairs of terms, which the processor adds side by side (Estrin's scheme).
  const fourth = f32x4.mul(square, square);
  const high = f32x4.add(f32x4.mul(v128.load(TURN), square), v128.load(TURN, 16));
  const middle = f32x4.add(f32x4.mul(v128.load(TURN, 32), square), v128.load(TURN, 48));
  const low = f32x4.add(f32x4.mul(v128.load(TURN, 64), square), v128.load(TURN, 80));
  const sum = f32x4.add(f32x4.mul(f32x4.add(f32x4.mul(high, fourth), middle), fourth), low);
  let turns = f32x4.mul(f32x4.mul(sum, ratio), v128.load(TURN, 96));
  turns = v128.bitselect(f32x4.sub(v128.load(TURN, 112), turns), turns, f32x4.gt(width, height));
  turns = v128.bitselect(f32x4.sub(v128.load(TURN, 128), turns), turns, f32x4.gt(y, v128.load(ZERO)));
  return v128.bitselect(f32x4.sub(v128.load(ONE), turns), turns, f32x4.lt(x, v128.load(ZERO)));
}

/** The slope that applies at a position, searched from a nearby one. */
function slopeAt(place: f32, slope: usize): usize {
  while (place >= load<f32>(slope + SLOPE)) slope += SLOPE;
  while (place < load<f32>(slope)) slope -= SLOPE;
  return slope;
}

/**
 * Whether one slope applies at four positions; checks all of them, because the middle ones may be nearer to a centre
 * than both outer ones.
 */
function holdsAt(places: v128, slope: usize): bool {
  const isBehind = f32x4.ge(places, v128.load32_splat(slope));
  return i32x4.all_true(v128.and(isBehind, f32x4.lt(places, v128.load32_splat(slope + SLOPE))));
}

/** Clamps to 0..1. */
function held(values: v128): v128 {
  return f32x4.pmin(v128.load(ONE), f32x4.pmax(v128.load(ZERO), values));
}

// biome-ignore lint/complexity/noStaticOnlyClass: only methods can be marked to be inlined, which saves a quarter of the time
class Pixels {
  /** The pixels at four positions on one slope. */
  @inline
  static of(places: v128, slope: usize, isOpaque: bool): v128 {
    const r = channel(places, slope, 16);
    const g = channel(places, slope, 20);
    const b = channel(places, slope, 24);
    const a = isOpaque ? v128.load(BYTE) : channel(places, slope, 28);
    // Clamps to bytes.
    const planes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(r, g), i16x8.narrow_i32x4_s(b, a));
    const straight = i8x16.swizzle(planes, v128.load(PIXELS));
    return isOpaque ? straight : premultiplied(straight);
  }
}

/** One channel, 255 at its most, as an integer that rounding errors may place outside. */
function channel(places: v128, slope: usize, offset: usize): v128 {
  const factor = v128.load32_splat(slope + offset);
  const bias = v128.load32_splat(slope + offset + 16);
  const shares = f32x4.add(f32x4.mul(places, factor), bias);
  const rounder = v128.load(ROUNDER);
  return i32x4.sub(f32x4.add(f32x4.mul(shares, v128.load(BYTES)), rounder), rounder);
}

function premultiplied(pixels: v128): v128 {
  return v128.bitselect(product(pixels, alphasOf(pixels)), pixels, v128.load(COLORS));
}

/** Fills a linear gradient, which has one axis, as `fillGradient` does, but by incremental 16.16 sums along each row. */
export function fillLinear(
  pixels: usize,
  width: i32,
  rows: u32,
  x: f32,
  y: f32,
  axis: usize,
  slopes: usize,
  isOpaque: bool,
): void {
  const perX = load<f32>(axis);
  const full: f32 = 255.0 * 65536.0;
  for (; rows > 0; rows--, y += 1, pixels += 4 * <usize>width) {
    const start = perX * x + load<f32>(axis, 4) * y + load<f32>(axis, 8);
    for (let at: i32 = 0; at < width; ) {
      const place = start + perX * <f32>at;
      const within = max<f32>(0, min<f32>(1, place));
      let slope = slopes;
      while (within >= load<f32>(slope + SLOPE)) slope += SLOPE;
      // This run ends where another slope begins, or where the gradient starts or ends.
      const isInside = place >= 0 && place <= 1;
      let next: f32 = 0;
      if (place < 0) next = perX > 0 ? 0 : Infinity;
      else if (place > 1) next = perX < 0 ? 1 : Infinity;
      else next = perX > 0 ? min<f32>(1, load<f32>(slope + SLOPE)) : max<f32>(0, load<f32>(slope));
      let end = width;
      if (perX !== 0 && next !== Infinity) {
        const to = <f64>ceil((next - start) / perX);
        end = to < <f64>width ? max(at + 1, <i32>to) : width;
      }
      const factors = v128.load(slope + 16);
      const biases = v128.load(slope + 32);
      const color = f32x4.mul(f32x4.add(f32x4.mul(f32x4.splat(within), factors), biases), f32x4.splat(full));
      const held = f32x4.pmin(f32x4.splat(full), f32x4.pmax(v128.load(ZERO), color));
      const step = i32x4.trunc_sat_f32x4_s(f32x4.mul(factors, f32x4.splat(isInside ? full * perX : 0)));
      fillRun(pixels, at, end, i32x4.trunc_sat_f32x4_s(held), step, isOpaque);
      at = end;
    }
  }
}

/** Writes the pixels from `from` to `to`, and up to three more, each one step after the one before. */
function fillRun(pixels: usize, from: i32, to: i32, color: v128, step: v128, isOpaque: bool): void {
  let c0 = i32x4.add(color, i32x4.splat(32768));
  let c1 = i32x4.add(c0, step);
  let c2 = i32x4.add(c1, step);
  let c3 = i32x4.add(c2, step);
  const four = i32x4.shl(step, 2);
  for (let at = from; at < to; at += 4) {
    const first = v128.or(i8x16.swizzle(c0, v128.load(THIRDS)), i8x16.swizzle(c1, v128.load(THIRDS, 16)));
    const second = v128.or(i8x16.swizzle(c2, v128.load(THIRDS, 32)), i8x16.swizzle(c3, v128.load(THIRDS, 48)));
    const straight = v128.or(first, second);
    v128.store(pixels + 4 * <usize>at, isOpaque ? straight : premultiplied(straight));
    c0 = i32x4.add(c0, four);
    c1 = i32x4.add(c1, four);
    c2 = i32x4.add(c2, four);
    c3 = i32x4.add(c3, four);
  }
}
