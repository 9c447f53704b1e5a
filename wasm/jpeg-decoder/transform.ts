// A block's values in, its 8 × 8 samples out: the inverse cosine transform (T.81, A.3.3), in the form of Arai, Agui and
// Nakajima, whose scale is part of each value's step.
//
// All eight columns at a time in 16 bits, so that a sample is libjpeg's of its most exact transform, give or take one.

import { BLOCK } from './layout';

/** Bits of a fraction that values and samples have until the last step. */
const FRACTION: i32 = 4;
/** Samples lie around 128; and a half, to round. */
const BIAS: i32 = (128 << FRACTION) | (1 << (FRACTION - 1));

/** A block whose first value is the only one, and so of one colour. */
export function fillBlock(to: usize, stride: usize): void {
  const value = (<i32>load<i16>(BLOCK) + BIAS) >> FRACTION;
  const samples = i8x16.splat(<i8>min(max(value, 0), 255));
  for (let y: usize = 0; y < 8; y++) v128.store64_lane(to + y * stride, samples, 0);
}

/** A value times a factor below 1, rounded. */
function times(value: v128, factor: f64): v128 {
  return i16x8.q15mulr_sat_s(value, i16x8.splat(<i16>(factor * 32768)));
}

/** BLOCK has its rows and columns exchanged; between the passes they are exchanged again. */
export function transformBlock(to: usize, stride: usize): void {
  transformColumns();
  exchange();
  transformColumns();
  const bias = i16x8.splat(<i16>BIAS);
  for (let y: usize = 0; y < 8; y += 2) {
    const first = i16x8.shr_s(i16x8.add(v128.load(BLOCK + 16 * y), bias), FRACTION);
    const second = i16x8.shr_s(i16x8.add(v128.load(BLOCK + 16 * y, 16), bias), FRACTION);
    const both = i8x16.narrow_i16x8_u(first, second);
    v128.store64_lane(to, both, 0);
    v128.store64_lane(to + stride, both, 1);
    to += 2 * stride;
  }
}

function transformColumns(): void {
  const v0 = v128.load(BLOCK);
  const v2 = v128.load(BLOCK, 32);
  const v4 = v128.load(BLOCK, 64);
  const v6 = v128.load(BLOCK, 96);
  const s04 = i16x8.add(v0, v4);
  const d04 = i16x8.sub(v0, v4);
  const s26 = i16x8.add(v2, v6);
  const d26 = i16x8.sub(v2, v6);
  const r26 = i16x8.sub(i16x8.add(d26, times(d26, 0.414213562)), s26);
  const e0 = i16x8.add(s04, s26);
  const e3 = i16x8.sub(s04, s26);
  const e1 = i16x8.add(d04, r26);
  const e2 = i16x8.sub(d04, r26);

  const v1 = v128.load(BLOCK, 16);
  const v3 = v128.load(BLOCK, 48);
  const v5 = v128.load(BLOCK, 80);
  const v7 = v128.load(BLOCK, 112);
  const s53 = i16x8.add(v5, v3);
  const d53 = i16x8.sub(v5, v3);
  const s17 = i16x8.add(v1, v7);
  const d17 = i16x8.sub(v1, v7);
  const o7 = i16x8.add(s17, s53);
  const dss = i16x8.sub(s17, s53);
  const r = i16x8.add(dss, times(dss, 0.414213562));
  const sdd = i16x8.add(d53, d17);
  // 1.847759065
  const z = i16x8.sub(i16x8.add(sdd, sdd), times(sdd, 0.152240935));
  // 2.613125930
  const z6 = i16x8.sub(z, i16x8.add(i16x8.add(d53, d53), times(d53, 0.61312593)));
  // 1.082392200
  const z4 = i16x8.sub(i16x8.add(d17, times(d17, 0.0823922)), z);
  const o6 = i16x8.sub(z6, o7);
  const o5 = i16x8.sub(r, o6);
  const o4 = i16x8.add(z4, o5);

  v128.store(BLOCK, i16x8.add(e0, o7));
  v128.store(BLOCK, i16x8.add(e1, o6), 16);
  v128.store(BLOCK, i16x8.add(e2, o5), 32);
  v128.store(BLOCK, i16x8.sub(e3, o4), 48);
  v128.store(BLOCK, i16x8.add(e3, o4), 64);
  v128.store(BLOCK, i16x8.sub(e2, o5), 80);
  v128.store(BLOCK, i16x8.sub(e1, o6), 96);
  v128.store(BLOCK, i16x8.sub(e0, o7), 112);
}

/** Rows become columns. */
function exchange(): void {
  const f0 = v128.load(BLOCK);
  const f1 = v128.load(BLOCK, 16);
  const f2 = v128.load(BLOCK, 32);
  const f3 = v128.load(BLOCK, 48);
  const f4 = v128.load(BLOCK, 64);
  const f5 = v128.load(BLOCK, 80);
  const f6 = v128.load(BLOCK, 96);
  const f7 = v128.load(BLOCK, 112);
  const a0 = v128.shuffle<u16>(f0, f1, 0, 8, 1, 9, 2, 10, 3, 11);
  const a1 = v128.shuffle<u16>(f0, f1, 4, 12, 5, 13, 6, 14, 7, 15);
  const a2 = v128.shuffle<u16>(f2, f3, 0, 8, 1, 9, 2, 10, 3, 11);
  const a3 = v128.shuffle<u16>(f2, f3, 4, 12, 5, 13, 6, 14, 7, 15);
  const a4 = v128.shuffle<u16>(f4, f5, 0, 8, 1, 9, 2, 10, 3, 11);
  const a5 = v128.shuffle<u16>(f4, f5, 4, 12, 5, 13, 6, 14, 7, 15);
  const a6 = v128.shuffle<u16>(f6, f7, 0, 8, 1, 9, 2, 10, 3, 11);
  const a7 = v128.shuffle<u16>(f6, f7, 4, 12, 5, 13, 6, 14, 7, 15);
  storeColumns(BLOCK, v128.shuffle<u32>(a0, a2, 0, 4, 1, 5), v128.shuffle<u32>(a4, a6, 0, 4, 1, 5));
  storeColumns(BLOCK + 32, v128.shuffle<u32>(a0, a2, 2, 6, 3, 7), v128.shuffle<u32>(a4, a6, 2, 6, 3, 7));
  storeColumns(BLOCK + 64, v128.shuffle<u32>(a1, a3, 0, 4, 1, 5), v128.shuffle<u32>(a5, a7, 0, 4, 1, 5));
  storeColumns(BLOCK + 96, v128.shuffle<u32>(a1, a3, 2, 6, 3, 7), v128.shuffle<u32>(a5, a7, 2, 6, 3, 7));
}

/** Two, of which each argument has a half. */
function storeColumns(to: usize, above: v128, below: v128): void {
  v128.store(to, v128.shuffle<u64>(above, below, 0, 2));
  v128.store(to, v128.shuffle<u64>(above, below, 1, 3), 16);
}
