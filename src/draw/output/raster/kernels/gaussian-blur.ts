// A Gaussian blur, in AssemblyScript: averages pixels by k × k, convolves the small plane vertically and horizontally
// with the sampled Gaussian, and enlarges it linearly while compositing.
//
// Averaging and enlarging add a variance of k² / 4, which the caller subtracts from the Gaussian's. The result is
// within two levels of the true one where the deviation on the small plane is 2.5 or more. Values of a plane have 15
// bits, where 255 · 128 is full: products with 15-bit weights then fit a lane (`q15mulr`).

import { over, product } from './lanes';

const LANES: usize = memory.data<u16>([0, 1, 2, 3, 4, 5, 6, 7], 16);
/** Shuffles that copy the values of pixels 2i and 2i + 1 to all four lanes of each. */
const PAIRS: usize = memory.data<u8>(
  [
    0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 4, 5, 4, 5, 4, 5, 4, 5, 6, 7, 6, 7, 6, 7, 6, 7, 8, 9, 8, 9, 8, 9, 8,
    9, 10, 11, 10, 11, 10, 11, 10, 11, 12, 13, 12, 13, 12, 13, 12, 13, 14, 15, 14, 15, 14, 15, 14, 15,
  ],
  16,
);

// ---- reduction

/**
 * Averages rows of a mask into a small plane.
 *
 * @param shift 2^shift pixels a side become one
 * @param left, top position of the mask's first pixel, in px from the corner of the plane
 * @param plane zeros where nothing has been averaged yet; `pitch` values per row
 * @param sums scratch space of 2 · (width + 16) bytes
 */
export function shrinkMask(
  mask: usize,
  width: i32,
  height: i32,
  shift: u32,
  left: i32,
  top: i32,
  plane: usize,
  pitch: i32,
  sums: usize,
): void {
  for (let y = 0; y < height; ) {
    const row = (y + top) >> shift;
    const end = min(height, ((row + 1) << shift) - top);
    memory.fill(sums, 0, 2 * (<usize>width + 16));
    for (; y < end; y++, mask += width) {
      for (let x = 0; x < width; x += 16) {
        const bytes = v128.load(mask + x);
        const at = sums + 2 * <usize>x;
        v128.store(at, i16x8.add(v128.load(at), i16x8.extend_low_i8x16_u(bytes)));
        v128.store(at, i16x8.add(v128.load(at, 16), i16x8.extend_high_i8x16_u(bytes)), 16);
      }
    }
    const to = plane + 2 * <usize>(row * pitch);
    for (let x = 0; x < width; ) {
      const column = (x + left) >> shift;
      const stop = min(width, ((column + 1) << shift) - left);
      let sum: u32 = 0;
      for (; x < stop; x++) sum += load<u16>(sums + 2 * <usize>x);
      store<u16>(to + 2 * <usize>column, <u16>((sum << 7) >> (2 * shift)));
    }
  }
}

/** The same for RGBA, four values per pixel; `sums` has 8 · (width + 4) bytes. */
export function shrinkPixels(
  pixels: usize,
  width: i32,
  height: i32,
  shift: u32,
  left: i32,
  top: i32,
  plane: usize,
  pitch: i32,
  sums: usize,
): void {
  for (let y = 0; y < height; ) {
    const row = (y + top) >> shift;
    const end = min(height, ((row + 1) << shift) - top);
    memory.fill(sums, 0, 8 * (<usize>width + 4));
    for (; y < end; y++, pixels += 4 * width) {
      for (let x = 0; x < width; x += 4) {
        const bytes = v128.load(pixels + 4 * <usize>x);
        const at = sums + 8 * <usize>x;
        v128.store(at, i16x8.add(v128.load(at), i16x8.extend_low_i8x16_u(bytes)));
        v128.store(at, i16x8.add(v128.load(at, 16), i16x8.extend_high_i8x16_u(bytes)), 16);
      }
    }
    const to = plane + 8 * <usize>(row * pitch);
    for (let x = 0; x < width; ) {
      const column = (x + left) >> shift;
      const stop = min(width, ((column + 1) << shift) - left);
      let sum = i32x4.splat(0);
      for (; x < stop; x++) sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(v128.load64_zero(sums + 8 * <usize>x)));
      const mean = i32x4.shr_u(i32x4.shl(sum, 7), 2 * shift);
      v128.store64_lane(to + 8 * <usize>column, v128.narrow<u32>(mean, mean), 0);
    }
  }
}

// ---- convolution

/**
 * Convolves the columns of a plane; beyond its first and last row are zeros.
 *
 * @param columns values per row, a multiple of 8
 * @param weights of a kernel of 2 · radius + 1, i16; 32768 is 1
 */
export function convolveColumns(from: usize, to: usize, columns: usize, rows: i32, weights: usize, radius: i32): void {
  const stride: usize = 2 * columns;
  for (let y = 0; y < rows; y++, to += stride) {
    const first = max(0, y - radius);
    const last = min(rows - 1, y + radius);
    const weight = weights + 2 * <usize>(first - y + radius);
    const top = from + <usize>first * stride;
    let x: usize = 0;
    // Four adjacent registers share each weight.
    for (; x + 64 <= stride; x += 64) {
      let a = i16x8.splat(0);
      let b = a;
      let c = a;
      let d = a;
      let at = top + x;
      let w = weight;
      for (let row = first; row <= last; row++, at += stride, w += 2) {
        const share = v128.load16_splat(w);
        a = i16x8.add(a, i16x8.q15mulr_sat_s(v128.load(at), share));
        b = i16x8.add(b, i16x8.q15mulr_sat_s(v128.load(at, 16), share));
        c = i16x8.add(c, i16x8.q15mulr_sat_s(v128.load(at, 32), share));
        d = i16x8.add(d, i16x8.q15mulr_sat_s(v128.load(at, 48), share));
      }
      v128.store(to + x, a);
      v128.store(to + x, b, 16);
      v128.store(to + x, c, 32);
      v128.store(to + x, d, 48);
    }
    for (; x < stride; x += 16) {
      let sum = i16x8.splat(0);
      let at = top + x;
      let w = weight;
      for (let row = first; row <= last; row++, at += stride, w += 2) {
        sum = i16x8.add(sum, i16x8.q15mulr_sat_s(v128.load(at), v128.load16_splat(w)));
      }
      v128.store(to + x, sum);
    }
  }
}

/** Transposes a plane; columns and rows are multiples of 8. */
export function transpose(from: usize, columns: usize, rows: usize, to: usize): void {
  const s: usize = 2 * columns;
  const t: usize = 2 * rows;
  for (let y: usize = 0; y < rows; y += 8) {
    for (let x: usize = 0; x < columns; x += 8) {
      const p = from + y * s + 2 * x;
      const r0 = v128.load(p);
      const r1 = v128.load(p + s);
      const r2 = v128.load(p + 2 * s);
      const r3 = v128.load(p + 3 * s);
      const r4 = v128.load(p + 4 * s);
      const r5 = v128.load(p + 5 * s);
      const r6 = v128.load(p + 6 * s);
      const r7 = v128.load(p + 7 * s);
      const a0 = v128.shuffle<u16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
      const a1 = v128.shuffle<u16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
      const a2 = v128.shuffle<u16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
      const a3 = v128.shuffle<u16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
      const a4 = v128.shuffle<u16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11);
      const a5 = v128.shuffle<u16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15);
      const a6 = v128.shuffle<u16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
      const a7 = v128.shuffle<u16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
      const b0 = v128.shuffle<u32>(a0, a2, 0, 4, 1, 5);
      const b1 = v128.shuffle<u32>(a0, a2, 2, 6, 3, 7);
      const b2 = v128.shuffle<u32>(a1, a3, 0, 4, 1, 5);
      const b3 = v128.shuffle<u32>(a1, a3, 2, 6, 3, 7);
      const b4 = v128.shuffle<u32>(a4, a6, 0, 4, 1, 5);
      const b5 = v128.shuffle<u32>(a4, a6, 2, 6, 3, 7);
      const b6 = v128.shuffle<u32>(a5, a7, 0, 4, 1, 5);
      const b7 = v128.shuffle<u32>(a5, a7, 2, 6, 3, 7);
      const q = to + x * t + 2 * y;
      v128.store(q, v128.shuffle<u64>(b0, b4, 0, 2));
      v128.store(q + t, v128.shuffle<u64>(b0, b4, 1, 3));
      v128.store(q + 2 * t, v128.shuffle<u64>(b1, b5, 0, 2));
      v128.store(q + 3 * t, v128.shuffle<u64>(b1, b5, 1, 3));
      v128.store(q + 4 * t, v128.shuffle<u64>(b2, b6, 0, 2));
      v128.store(q + 5 * t, v128.shuffle<u64>(b2, b6, 1, 3));
      v128.store(q + 6 * t, v128.shuffle<u64>(b3, b7, 0, 2));
      v128.store(q + 7 * t, v128.shuffle<u64>(b3, b7, 1, 3));
    }
  }
}

/** The same for a plane of pixels, four values each; columns and rows are even. */
export function transposePixels(from: usize, columns: usize, rows: usize, to: usize): void {
  for (let y: usize = 0; y < rows; y += 2) {
    for (let x: usize = 0; x < columns; x += 2) {
      const p = from + 8 * (y * columns + x);
      const a = v128.load(p);
      const b = v128.load(p + 8 * columns);
      const q = to + 8 * (x * rows + y);
      v128.store(q, v128.shuffle<u64>(a, b, 0, 2));
      v128.store(q + 8 * rows, v128.shuffle<u64>(a, b, 1, 3));
    }
  }
}

// ---- enlarging and compositing

/** Interpolates between `low` and `high`; weights are i16, where 32768 is 1. */
function between(low: v128, high: v128, weights: v128): v128 {
  return i16x8.add(low, i16x8.q15mulr_sat_s(i16x8.sub(high, low), weights));
}

/** Interpolates a row between two rows of a plane; reads and writes multiples of 16 bytes. */
function betweenRows(upper: usize, lower: usize, weight: i32, to: usize, bytes: usize): void {
  const weights = i16x8.splat(<i16>weight);
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(to + i, between(v128.load(upper + i), v128.load(lower + i), weights));
  }
}

/** The fraction by which a position lies after the middle of the preceding pixel of the small plane; 32768 is 1. */
function weightOf(place: u32, shift: u32): i32 {
  if (shift === 0) return 0;
  const unit = 32768 >> shift;
  return <i32>(place & ((1 << shift) - 1)) * unit + (unit >> 1);
}

/**
 * Composites one colour through a blurred mask, rounded once.
 *
 * @param left, top the first pixel, in px from the middle of the plane's first pixel (shift 0: from its edge)
 * @param mask a clip; read only if `maskPitch` is not 0
 * @param color opaque
 * @param alpha of the colour; 32767 is 1
 * @param row scratch space for a row of the plane
 */
export function layBlurredMask(
  pixels: usize,
  stride: usize,
  width: u32,
  height: u32,
  plane: usize,
  pitch: usize,
  shift: u32,
  left: u32,
  top: u32,
  mask: usize,
  maskPitch: usize,
  color: u32,
  alpha: u32,
  row: usize,
): void {
  const ink = i16x8.extend_low_i8x16_u(i32x4.splat(color));
  const lanes = v128.load(LANES);
  const share = i16x8.splat(<i16>alpha);
  const within = (1 << shift) - 1;
  let places = i16x8.add(i16x8.splat(<i16>(left & within)), lanes);
  let picked = bytesAt(places, shift);
  let weights = weightsAt(places, shift);
  // The part of the plane's row that is read: eight values at a time, and one after them.
  const first: usize = (left >> shift) & ~7;
  const count: usize = min(pitch, <usize>(((left + width + 7) >> shift) + 9) & ~7) - first;
  for (let y: u32 = 0; y < height; y++, pixels += 4 * stride, mask += maskPitch) {
    const upper = plane + 2 * (<usize>((y + top) >> shift) * pitch + first);
    betweenRows(upper, upper + (shift === 0 ? 0 : 2 * pitch), weightOf(y + top, shift), row + 2 * first, 2 * count);
    for (let x: u32 = 0; x < width; x += 8) {
      const from = x + left;
      const at = row + 2 * <usize>(from >> shift);
      let values = v128.load(at);
      if (shift !== 0) {
        // Up to a shift of 3, one pixel of the plane covers a divisor of 8 pixels, so every eight pixels have the same
        // positions.
        if (shift > 3) {
          places = i16x8.add(i16x8.splat(<i16>(from & within)), lanes);
          picked = bytesAt(places, shift);
          weights = weightsAt(places, shift);
        }
        values = between(i8x16.swizzle(values, picked), i8x16.swizzle(v128.load(at, 2), picked), weights);
      }
      if (!v128.any_true(values)) continue;
      if (maskPitch !== 0) {
        const coverages = v128.load8x8_u(mask + x);
        if (!v128.any_true(coverages)) continue;
        // 255 becomes 32767.
        const shares = i16x8.add(i16x8.shl(coverages, 7), i16x8.shr_u(coverages, 1));
        values = i16x8.q15mulr_sat_s(values, shares);
      }
      values = i16x8.q15mulr_sat_s(values, share);
      // 32640 becomes 32767.
      values = i16x8.add_sat_s(values, i16x8.shr_u(values, 8));
      if (width - x < 8) values = v128.and(values, i16x8.lt_u(lanes, i16x8.splat(<i16>(width - x))));
      const to = pixels + 4 * <usize>x;
      mixTwice(to, ink, values, PAIRS);
      if (width - x > 4) mixTwice(to + 16, ink, values, PAIRS + 32);
    }
  }
}

/** The byte indices of each position's value among eight values of the plane. */
function bytesAt(places: v128, shift: u32): v128 {
  const index = i16x8.shl(i16x8.shr_u(places, shift), 1);
  return v128.or(index, i16x8.shl(i16x8.add(index, i16x8.splat(1)), 8));
}

/** `weightOf` for eight positions; `shift` is not 0. */
function weightsAt(places: v128, shift: u32): v128 {
  const unit: i32 = 32768 >> shift;
  const within: i32 = (1 << shift) - 1;
  const inside = v128.and(places, i16x8.splat(<i16>within));
  return i16x8.add(i16x8.mul(inside, i16x8.splat(<i16>unit)), i16x8.splat(<i16>(unit >> 1)));
}

/** Blends a colour into four pixels. */
function mixTwice(at: usize, ink: v128, values: v128, pairs: usize): void {
  const below = v128.load(at);
  const first = i16x8.extend_low_i8x16_u(below);
  const second = i16x8.extend_high_i8x16_u(below);
  v128.store(
    at,
    i8x16.narrow_i16x8_u(
      between(first, ink, i8x16.swizzle(values, v128.load(pairs))),
      between(second, ink, i8x16.swizzle(values, v128.load(pairs, 16))),
    ),
  );
}

/** `layBlurredMask` for a blurred plane of pixels; `opacity` is 0..255. */
export function layBlurredPixels(
  pixels: usize,
  stride: usize,
  width: u32,
  height: u32,
  plane: usize,
  pitch: usize,
  shift: u32,
  left: u32,
  top: u32,
  mask: usize,
  maskPitch: usize,
  opacity: u32,
  row: usize,
): void {
  const fade = i8x16.splat(<i8>opacity);
  const first: usize = (left >> shift) & ~1;
  const count: usize = min(pitch, <usize>(((left + width) >> shift) + 3) & ~1) - first;
  for (let y: u32 = 0; y < height; y++, pixels += 4 * stride, mask += maskPitch) {
    const upper = plane + 8 * (<usize>((y + top) >> shift) * pitch + first);
    betweenRows(upper, upper + (shift === 0 ? 0 : 8 * pitch), weightOf(y + top, shift), row + 8 * first, 8 * count);
    for (let x: u32 = 0; x < width; x += 2) {
      const from = row + 8 * <usize>((x + left) >> shift);
      const next = row + 8 * <usize>((x + left + 1) >> shift);
      let values = v128.load64_lane(next, v128.load64_zero(from), 1);
      if (shift !== 0) {
        const after = v128.load64_lane(next + 8, v128.load64_zero(from + 8), 1);
        const weights = v128.shuffle<u64>(
          i16x8.splat(<i16>weightOf(x + left, shift)),
          i16x8.splat(<i16>weightOf(x + left + 1, shift)),
          0,
          2,
        );
        values = between(values, after, weights);
      }
      const bytes = i16x8.shr_u(i16x8.add(values, i16x8.splat(64)), 7);
      let above = v128.narrow<u16>(bytes, bytes);
      if (maskPitch !== 0) above = product(above, spreadPair(load<u16>(mask + x)));
      if (opacity !== 255) above = product(above, fade);
      if (width - x === 1) above = v128.and(above, i64x2(0xffffffff, 0));
      const at = pixels + 4 * <usize>x;
      v128.store64_lane(at, over(v128.load64_zero(at), above), 0);
    }
  }
}

function spreadPair(coverages: u16): v128 {
  return i8x16.swizzle(i16x8.splat(coverages), i8x16(0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1));
}
