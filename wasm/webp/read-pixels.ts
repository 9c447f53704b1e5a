// RGBA in, the blocks of a macroblock out: BT.601 in the range that WebP uses, 4:2:0.

import { EDGE, SOURCE } from './layout';

/** A sum of red, green and blue, each times 128, at that scale; the factors are 32768ths. */
function mixed(r: v128, g: v128, b: v128, ofRed: i16, ofGreen: i16, ofBlue: i16, base: i16): v128 {
  const sum = i16x8.add(
    i16x8.q15mulr_sat_s(r, i16x8.splat(ofRed)),
    i16x8.add(i16x8.q15mulr_sat_s(g, i16x8.splat(ofGreen)), i16x8.q15mulr_sat_s(b, i16x8.splat(ofBlue))),
  );
  return i16x8.add(i16x8.shr_s(i16x8.add(sum, i16x8.splat(64)), 7), i16x8.splat(base));
}

function lumaOf(red: v128, green: v128, blue: v128): v128 {
  return i8x16.narrow_i16x8_u(
    mixed(
      i16x8.shl(i16x8.extend_low_i8x16_u(red), 7),
      i16x8.shl(i16x8.extend_low_i8x16_u(green), 7),
      i16x8.shl(i16x8.extend_low_i8x16_u(blue), 7),
      8420,
      16530,
      3210,
      16,
    ),
    mixed(
      i16x8.shl(i16x8.extend_high_i8x16_u(red), 7),
      i16x8.shl(i16x8.extend_high_i8x16_u(green), 7),
      i16x8.shl(i16x8.extend_high_i8x16_u(blue), 7),
      8420,
      16530,
      3210,
      16,
    ),
  );
}

/** Four rows of 16 samples as blocks. */
function storeBlocks(to: usize, r0: v128, r1: v128, r2: v128, r3: v128): void {
  const a = v128.shuffle<u32>(r0, r1, 0, 4, 1, 5);
  const b = v128.shuffle<u32>(r0, r1, 2, 6, 3, 7);
  const c = v128.shuffle<u32>(r2, r3, 0, 4, 1, 5);
  const d = v128.shuffle<u32>(r2, r3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<u64>(a, c, 0, 2));
  v128.store(to, v128.shuffle<u64>(a, c, 1, 3), 16);
  v128.store(to, v128.shuffle<u64>(b, d, 0, 2), 32);
  v128.store(to, v128.shuffle<u64>(b, d, 1, 3), 48);
}

/** A row's luma, and its colours added to those of the row before. */
let reds: v128 = i64x2.splat(0);
let greens: v128 = i64x2.splat(0);
let blues: v128 = i64x2.splat(0);
/** What all pixels have in common. */
let common: v128 = i64x2.splat(-1);

function readRow(from: usize): v128 {
  const p0 = v128.load(from);
  const p1 = v128.load(from, 16);
  const p2 = v128.load(from, 32);
  const p3 = v128.load(from, 48);
  common = v128.and(common, v128.and(v128.and(p0, p1), v128.and(p2, p3)));
  const rg0 = v128.shuffle<u8>(p0, p1, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const rg1 = v128.shuffle<u8>(p2, p3, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const b0 = v128.shuffle<u8>(p0, p1, 2, 6, 10, 14, 18, 22, 26, 30, 2, 6, 10, 14, 18, 22, 26, 30);
  const b1 = v128.shuffle<u8>(p2, p3, 2, 6, 10, 14, 18, 22, 26, 30, 2, 6, 10, 14, 18, 22, 26, 30);
  const red = v128.shuffle<u64>(rg0, rg1, 0, 2);
  const green = v128.shuffle<u64>(rg0, rg1, 1, 3);
  const blue = v128.shuffle<u64>(b0, b1, 0, 2);
  reds = i16x8.add(reds, i16x8.extadd_pairwise_i8x16_u(red));
  greens = i16x8.add(greens, i16x8.extadd_pairwise_i8x16_u(green));
  blues = i16x8.add(blues, i16x8.extadd_pairwise_i8x16_u(blue));
  return lumaOf(red, green, blue);
}

/** Two rows of U (or of V) of two pairs of rows. */
function startSums(): void {
  reds = i64x2.splat(0);
  greens = i64x2.splat(0);
  blues = i64x2.splat(0);
}

function blueness(): v128 {
  return mixed(i16x8.shl(reds, 5), i16x8.shl(greens, 5), i16x8.shl(blues, 5), -4860, -9540, 14_400, 128);
}

function redness(): v128 {
  return mixed(i16x8.shl(reds, 5), i16x8.shl(greens, 5), i16x8.shl(blues, 5), 14_400, -12_058, -2342, 128);
}

/** Reads 16 × 16 pixels. */
function readWhole(rgba: usize, stride: usize): void {
  for (let half: usize = 0; half < 2; half++) {
    let u01: v128 = i64x2.splat(0);
    let v01: v128 = i64x2.splat(0);
    for (let quarter: usize = 0; quarter < 2; quarter++) {
      const from = rgba + (8 * half + 4 * quarter) * stride;
      startSums();
      const r0 = readRow(from);
      const r1 = readRow(from + stride);
      const u0 = blueness();
      const v0 = redness();
      startSums();
      const r2 = readRow(from + 2 * stride);
      const r3 = readRow(from + 3 * stride);
      storeBlocks(SOURCE + 64 * (2 * half + quarter), r0, r1, r2, r3);
      const u = i8x16.narrow_i16x8_u(u0, blueness());
      const v = i8x16.narrow_i16x8_u(v0, redness());
      if (quarter === 0) {
        u01 = u;
        v01 = v;
        continue;
      }
      const to = SOURCE + 256 + 32 * half;
      v128.store(to, v128.shuffle<u32>(u01, u, 0, 2, 4, 6));
      v128.store(to, v128.shuffle<u32>(u01, u, 1, 3, 5, 7), 16);
      v128.store(to, v128.shuffle<u32>(v01, v, 0, 2, 4, 6), 64);
      v128.store(to, v128.shuffle<u32>(v01, v, 1, 3, 5, 7), 80);
    }
  }
}

/** Copies what is there of a macroblock at the edge, and repeats its last column and row. */
function fillEdge(rgba: usize, stride: usize, columns: u32, rows: u32): void {
  for (let y: u32 = 0; y < 16; y++) {
    const from = rgba + <usize>min(y, rows - 1) * stride;
    for (let x: u32 = 0; x < 16; x++) {
      store<u32>(EDGE + 4 * <usize>(16 * y + x), load<u32>(from + 4 * <usize>min(x, columns - 1)));
    }
  }
}

/** Reads a macroblock of which so many columns and rows are left. Returns the lowest alpha's bits that all have. */
export function readMacroblock(rgba: usize, stride: usize, columns: u32, rows: u32): u32 {
  common = i64x2.splat(-1);
  if (columns >= 16 && rows >= 16) readWhole(rgba, stride);
  else {
    fillEdge(rgba, stride, columns, rows);
    readWhole(EDGE, 64);
  }
  const two = v128.and(common, v128.shuffle<u64>(common, common, 1, 0));
  return (i32x4.extract_lane(two, 0) & i32x4.extract_lane(two, 1)) >>> 24;
}
