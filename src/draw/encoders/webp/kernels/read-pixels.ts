// Converts RGBA to the blocks of a macroblock: limited-range BT.601, as WebP uses, 4:2:0.

import { EDGE, ROWS, SOURCE } from './layout';

/** The bitwise AND of all pixels of the macroblock. */
let common: v128 = i64x2.splat(-1);

/**
 * Luma, with coefficients in 32768ths for red and blue, and for green and alpha: an alpha of 255 adds the offset and
 * the rounding half.
 */
function lumaOf(redBlue: v128, greenAlpha: v128): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(redBlue, i16x8(8420, 3210, 8420, 3210, 8420, 3210, 8420, 3210)),
    i32x4.dot_i16x8_s(greenAlpha, i16x8(16_530, 2120, 16_530, 2120, 16_530, 2120, 16_530, 2120)),
  );
  return i32x4.shr_s(sum, 15);
}

/** U, from sums of four pixels. */
function bluenessOf(redBlue: v128, greenAlpha: v128): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(redBlue, i16x8(-4860, 14_400, -4860, 14_400, -4860, 14_400, -4860, 14_400)),
    i32x4.dot_i16x8_s(greenAlpha, i16x8(-9540, 16_512, -9540, 16_512, -9540, 16_512, -9540, 16_512)),
  );
  return i32x4.shr_s(sum, 17);
}

function rednessOf(redBlue: v128, greenAlpha: v128): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(redBlue, i16x8(14_400, -2342, 14_400, -2342, 14_400, -2342, 14_400, -2342)),
    i32x4.dot_i16x8_s(greenAlpha, i16x8(-12_058, 16_512, -12_058, 16_512, -12_058, 16_512, -12_058, 16_512)),
  );
  return i32x4.shr_s(sum, 17);
}

/** Sums of horizontal neighbours in four pixels and the next four. */
function paired(one: v128, other: v128): v128 {
  return i16x8.add(v128.shuffle<u32>(one, other, 0, 2, 4, 6), v128.shuffle<u32>(one, other, 1, 3, 5, 7));
}

/** Reads eight pixels of two rows: luma of both, and four each of U and V. */
function readEight(from: usize, stride: usize, luma: usize, chroma: usize): void {
  const bytes = i16x8.splat(0xff);
  const a = v128.load(from);
  const b = v128.load(from, 16);
  const c = v128.load(from + stride);
  const d = v128.load(from + stride, 16);
  common = v128.and(common, v128.and(v128.and(a, b), v128.and(c, d)));
  const redBlueA = v128.and(a, bytes);
  const redBlueB = v128.and(b, bytes);
  const redBlueC = v128.and(c, bytes);
  const redBlueD = v128.and(d, bytes);
  const greenAlphaA = i16x8.shr_u(a, 8);
  const greenAlphaB = i16x8.shr_u(b, 8);
  const greenAlphaC = i16x8.shr_u(c, 8);
  const greenAlphaD = i16x8.shr_u(d, 8);
  const both = i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(lumaOf(redBlueA, greenAlphaA), lumaOf(redBlueB, greenAlphaB)),
    i16x8.narrow_i32x4_s(lumaOf(redBlueC, greenAlphaC), lumaOf(redBlueD, greenAlphaD)),
  );
  v128.store64_lane(luma, both, 0);
  v128.store64_lane(luma, both, 1, 16);
  const redBlue = paired(i16x8.add(redBlueA, redBlueC), i16x8.add(redBlueB, redBlueD));
  const greenAlpha = paired(i16x8.add(greenAlphaA, greenAlphaC), i16x8.add(greenAlphaB, greenAlphaD));
  const uv = i16x8.narrow_i32x4_s(bluenessOf(redBlue, greenAlpha), rednessOf(redBlue, greenAlpha));
  const four = i8x16.narrow_i16x8_u(uv, uv);
  v128.store32_lane(chroma, four, 0);
  v128.store32_lane(chroma, four, 1, 8);
}

/** Reads 16 × 16 pixels. */
function readWhole(rgba: usize, stride: usize): void {
  for (let pair: usize = 0; pair < 8; pair++) {
    const from = rgba + 2 * pair * stride;
    const luma = ROWS + 32 * pair;
    // U and V side by side.
    const chroma = ROWS + 256 + 16 * pair;
    readEight(from, stride, luma, chroma);
    readEight(from + 32, stride, luma + 8, chroma + 4);
  }
  for (let four: usize = 0; four < 4; four++) storeBlocks(ROWS + 64 * four, SOURCE + 64 * four, 32);
  for (let half: usize = 0; half < 2; half++) storeBlocks(ROWS + 256 + 64 * half, SOURCE + 256 + 32 * half, 64);
}

/** Stores four rows of 16 samples as blocks; the third and fourth are `apart` bytes after the first two. */
function storeBlocks(rows: usize, to: usize, apart: usize): void {
  const r0 = v128.load(rows);
  const r1 = v128.load(rows, 16);
  const r2 = v128.load(rows, 32);
  const r3 = v128.load(rows, 48);
  const a = v128.shuffle<u32>(r0, r1, 0, 4, 1, 5);
  const b = v128.shuffle<u32>(r0, r1, 2, 6, 3, 7);
  const c = v128.shuffle<u32>(r2, r3, 0, 4, 1, 5);
  const d = v128.shuffle<u32>(r2, r3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<u64>(a, c, 0, 2));
  v128.store(to, v128.shuffle<u64>(a, c, 1, 3), 16);
  v128.store(to + apart, v128.shuffle<u64>(b, d, 0, 2));
  v128.store(to + apart, v128.shuffle<u64>(b, d, 1, 3), 16);
}

/** Copies the existing part of a macroblock at the picture's edge, and repeats its last column and row. */
function fillEdge(rgba: usize, stride: usize, columns: u32, rows: u32): void {
  for (let y: u32 = 0; y < 16; y++) {
    const from = rgba + <usize>min(y, rows - 1) * stride;
    for (let x: u32 = 0; x < 16; x++) {
      store<u32>(EDGE + 4 * <usize>(16 * y + x), load<u32>(from + 4 * <usize>min(x, columns - 1)));
    }
  }
}

/**
 * Reads a macroblock of which the picture has `columns` and `rows`. Returns the bitwise AND of all alphas: 255 when
 * opaque.
 */
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
