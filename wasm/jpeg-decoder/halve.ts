// Samples in, half as many out on each axis that has too many of them: Lanczos's filter of three lobes, as libvips has it
// for the picture when it is scaled (src/images/scale.ts). Beyond its edges a picture goes on as it ends.
//
// First each row by itself, as it was decoded, then the rows kept of that, twelve for one.

import { Component, EDGE, KEPT_ROWS } from './layout';

/** What each of twelve samples counts for, two and two from the middle outward: 32768ths, 16384 in all. */
const T0: i32 = 14_628;
const T1: i32 = 4_441;
const T2: i32 = -2_182;
const T3: i32 = -1_114;
const T4: i32 = 496;
const T5: i32 = 115;

/** Bits of a fraction that rows are kept with. */
const FRACTION: i32 = 5;
/** And that a sum of samples has more than that. */
const LOWERED: i32 = 15 - FRACTION;

function keptRow(component: Component, row: u32): usize {
  return component.rows + <usize>component.rowStride * (row % KEPT_ROWS);
}

/** Halves a row of the plane across, if that is to be, and keeps it under its number. */
export function halveAcross(component: Component, samples: usize, row: u32): void {
  const to = keptRow(component, row);
  const width: usize = component.width;
  if (!component.isHalvedAcross) {
    for (let x: usize = 0; x < width; x += 8) {
      v128.store(to + 2 * x, i16x8.shl(v128.load8x8_u(samples + x), FRACTION));
    }
    return;
  }
  v128.store(samples - EDGE, i8x16.splat(load<i8>(samples)));
  v128.store(samples + width, i8x16.splat(load<i8>(samples + width - 1)));
  for (let x: usize = 0; x < width; x += 16) {
    v128.store(to + x, i16x8.narrow_i32x4_s(fourOf(samples + x), fourOf(samples + x + 8)));
  }
}

/** Four halved samples, each of which lies between the two at its own place. */
function fourOf(at: usize): v128 {
  const far = i32x4.add(two(at - 5, T5, T4), two(at + 5, T4, T5));
  const middle = i32x4.add(two(at - 3, T3, T2), two(at + 3, T2, T3));
  const near = i32x4.add(two(at - 1, T1, T0), two(at + 1, T0, T1));
  const sum = i32x4.add(i32x4.add(far, middle), i32x4.add(near, i32x4.splat(1 << (LOWERED - 1))));
  return i32x4.shr_s(sum, LOWERED);
}

/** What two samples, and the next ones, add to halved samples beside each other. */
function two(at: usize, first: i32, second: i32): v128 {
  return i32x4.dot_i16x8_s(v128.load8x8_u(at), i32x4.splat((second << 16) | (first & 0xffff)));
}

/** Sums of two and two, from the middle outward. */
function weighed(s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128): v128 {
  const near = i16x8.add(i16x8.q15mulr_sat_s(s0, i16x8.splat(<i16>T0)), i16x8.q15mulr_sat_s(s1, i16x8.splat(<i16>T1)));
  const middle = i16x8.add(
    i16x8.q15mulr_sat_s(s2, i16x8.splat(<i16>T2)),
    i16x8.q15mulr_sat_s(s3, i16x8.splat(<i16>T3)),
  );
  const far = i16x8.add(i16x8.q15mulr_sat_s(s4, i16x8.splat(<i16>T4)), i16x8.q15mulr_sat_s(s5, i16x8.splat(<i16>T5)));
  return i16x8.add(i16x8.add(near, middle), far);
}

/** Writes a row of the halved picture, of which rows up to the sixth below must have been kept. */
export function halveDown(component: Component, y: u32, from: u32, count: u32, to: usize): void {
  const first: usize = 2 * from;
  const end: usize = 2 * <usize>count;
  if (!component.isHalvedDown) {
    const row = keptRow(component, y) + first;
    for (let x: usize = 0; x < end; x += 32) {
      v128.store(to + (x >> 1), lowered(v128.load(row + x), v128.load(row + x, 16)));
    }
    return;
  }
  const middle: i32 = 2 * y;
  const a0 = rowNear(component, middle) + first;
  const b0 = rowNear(component, middle + 1) + first;
  const a1 = rowNear(component, middle - 1) + first;
  const b1 = rowNear(component, middle + 2) + first;
  const a2 = rowNear(component, middle - 2) + first;
  const b2 = rowNear(component, middle + 3) + first;
  const a3 = rowNear(component, middle - 3) + first;
  const b3 = rowNear(component, middle + 4) + first;
  const a4 = rowNear(component, middle - 4) + first;
  const b4 = rowNear(component, middle + 5) + first;
  const a5 = rowNear(component, middle - 5) + first;
  const b5 = rowNear(component, middle + 6) + first;
  for (let x: usize = 0; x < end; x += 16) {
    const values = weighed(
      i16x8.add(v128.load(a0 + x), v128.load(b0 + x)),
      i16x8.add(v128.load(a1 + x), v128.load(b1 + x)),
      i16x8.add(v128.load(a2 + x), v128.load(b2 + x)),
      i16x8.add(v128.load(a3 + x), v128.load(b3 + x)),
      i16x8.add(v128.load(a4 + x), v128.load(b4 + x)),
      i16x8.add(v128.load(a5 + x), v128.load(b5 + x)),
    );
    v128.store64_lane(to + (x >> 1), lowered(values, values), 0);
  }
}

function rowNear(component: Component, row: i32): usize {
  return keptRow(component, min<u32>(max(row, 0), component.height - 1));
}

/** As samples again, rounded. */
function lowered(low: v128, high: v128): v128 {
  const half = i16x8.splat(16);
  return i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add(low, half), FRACTION),
    i16x8.shr_s(i16x8.add(high, half), FRACTION),
  );
}
