// VP8's transforms and quantization, one block of 4 × 4 at a time (RFC 6386, section 14).
//
// The inverse transforms are bit-exact, because the next block is predicted from what a decoder shows. A block of
// 16-bit values is two vectors: rows 0 and 1, rows 2 and 3.

import { LEVELS, VALUES } from './layout';

/** Transposes: rows 0 and 1, or 2 and 3, of the result, from rows 0 and 2, and 1 and 3. */
function columnsLow(even: v128, odd: v128): v128 {
  return v128.shuffle<u16>(even, odd, 0, 8, 4, 12, 1, 9, 5, 13);
}
function columnsHigh(even: v128, odd: v128): v128 {
  return v128.shuffle<u16>(even, odd, 2, 10, 6, 14, 3, 11, 7, 15);
}

/** Rows 0 and 2 of the cosine transform of columns, times 1 << `shift`. */
function evenRows(low: v128, high: v128, shift: i32): v128 {
  const turned = v128.shuffle<u64>(high, high, 1, 0);
  const sum = i16x8.add(low, turned);
  const first = v128.shuffle<u64>(sum, sum, 0, 0);
  const second = v128.shuffle<u64>(sum, i16x8.neg(sum), 1, 3);
  return i16x8.shl(i16x8.add(first, second), shift);
}

/** Rows 1 and 3, times 4096 >> `shift`. */
function oddRows(low: v128, high: v128, shift: i32): v128 {
  const turned = v128.shuffle<u64>(high, high, 1, 0);
  const difference = i16x8.sub(low, turned);
  const pairs = v128.shuffle<u16>(difference, difference, 0, 4, 1, 5, 2, 6, 3, 7);
  const half = i32x4.splat((1 << shift) >> 1);
  const one = i32x4.dot_i16x8_s(pairs, i16x8(5352, 2217, 5352, 2217, 5352, 2217, 5352, 2217));
  const three = i32x4.dot_i16x8_s(pairs, i16x8(2217, -5352, 2217, -5352, 2217, -5352, 2217, -5352));
  return i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(one, half), shift), i32x4.shr_s(i32x4.add(three, half), shift));
}

/** The cosine transform of the residual, at eight times the scale of values, written to VALUES. */
function forward(source: v128, predicted: v128): void {
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(source), i16x8.extend_low_i8x16_u(predicted));
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(source), i16x8.extend_high_i8x16_u(predicted));
  const even = evenRows(low, high, 2);
  const odd = oddRows(low, high, 10);
  // The second pass works on the transposed block, which is transposed back at the end.
  const c0 = columnsLow(even, odd);
  const c1 = columnsHigh(even, odd);
  const e = evenRows(c0, c1, 0);
  const o = oddRows(c0, c1, 12);
  v128.store(VALUES, columnsLow(e, o));
  v128.store(VALUES, columnsHigh(e, o), 16);
}

/** The upper halves of the products of 16-bit values. */
function timesHigh(value: v128, factor: i16): v128 {
  const by = i16x8.splat(factor);
  return v128.shuffle<u16>(
    i32x4.extmul_low_i16x8_s(value, by),
    i32x4.extmul_high_i16x8_s(value, by),
    1,
    3,
    5,
    7,
    9,
    11,
    13,
    15,
  );
}

/**
 * Both passes of the inverse transform, on rows 0 and 1, and 2 and 3; the second pass is the first on the transposed
 * block.
 */
function inverse(low: v128, high: v128, predicted: v128): v128 {
  for (let pass = 0; pass < 2; pass++) {
    // a and b are the sum and the difference of rows 0 and 2.
    const evens = v128.shuffle<u64>(low, high, 0, 2);
    const odds = v128.shuffle<u64>(low, high, 1, 3);
    const zero = v128.shuffle<u64>(evens, evens, 0, 0);
    const two = v128.shuffle<u64>(evens, i16x8.neg(evens), 1, 3);
    const ab = i16x8.add(zero, two);
    // sqrt(2) cos(pi / 8) and sqrt(2) sin(pi / 8) of rows 1 and 3, in 65536ths above 1 and below.
    const cosine = i16x8.add(odds, timesHigh(odds, 20_091));
    const sine = i16x8.add(odds, timesHigh(odds, -30_068));
    // d, then c
    const first = v128.shuffle<u64>(cosine, sine, 0, 2);
    const second = v128.shuffle<u64>(sine, i16x8.neg(cosine), 1, 3);
    const dc = i16x8.add(first, second);
    const top = i16x8.add(ab, dc);
    const bottom = i16x8.sub(ab, dc);
    // Rows 0 and 1; 3 and 2. Transposed.
    low = v128.shuffle<u16>(top, bottom, 0, 4, 12, 8, 1, 5, 13, 9);
    high = v128.shuffle<u16>(top, bottom, 2, 6, 14, 10, 3, 7, 15, 11);
    // The final rounding, which the second pass carries along in its first row.
    if (pass === 0) low = i16x8.add(low, i16x8(4, 4, 4, 4, 0, 0, 0, 0));
  }
  low = i16x8.add(i16x8.shr_s(low, 3), i16x8.extend_low_i8x16_u(predicted));
  high = i16x8.add(i16x8.shr_s(high, 3), i16x8.extend_high_i8x16_u(predicted));
  return i8x16.narrow_i16x8_u(low, high);
}

/** Quantizes eight values; a value just below the middle between two levels becomes the smaller one. */
function quantized(value: v128, steps: usize, offset: usize): v128 {
  const sign = i16x8.shr_s(value, 15);
  const size = i16x8.sub_sat_u(i16x8.abs(value), v128.load(steps + offset, 64));
  const level = i16x8.q15mulr_sat_s(size, v128.load(steps + offset, 32));
  return i16x8.sub(v128.xor(level, sign), sign);
}

/** Stores levels in zigzag order. Returns which of them are not 0. */
function storeInZigzag(low: v128, high: v128, to: usize): u32 {
  const first = v128.shuffle<u16>(low, high, 0, 1, 4, 8, 5, 2, 3, 6);
  const second = v128.shuffle<u16>(low, high, 9, 12, 13, 10, 7, 11, 14, 15);
  v128.store(to, first);
  v128.store(to, second, 16);
  return i8x16.bitmask(i8x16.ne(i8x16.narrow_i16x8_s(first, second), i64x2.splat(0)));
}

/**
 * Transforms and quantizes a block's residual, and reconstructs what a decoder will show.
 *
 * @returns which levels are not 0
 */
export function codeBlock(source: v128, predicted: v128, steps: usize, levels: usize, shown: usize): u32 {
  forward(source, predicted);
  const low = quantized(v128.load(VALUES), steps, 0);
  const high = quantized(v128.load(VALUES, 16), steps, 16);
  const set = storeInZigzag(low, high, levels);
  if (set === 0) v128.store(shown, predicted);
  else {
    const first = i16x8.mul(low, v128.load(steps));
    if (set === 1) v128.store(shown, showEven(predicted, <i16>i16x8.extract_lane_s(first, 0)));
    else v128.store(shown, inverse(first, i16x8.mul(high, v128.load(steps, 16)), predicted));
  }
  return set;
}

/** `codeBlock` for a block whose DC value is coded in Y2: it is stored at `dc` unquantized. */
export function codeRest(source: v128, predicted: v128, steps: usize, levels: usize, dc: usize): u32 {
  forward(source, predicted);
  const low = v128.load(VALUES);
  store<i16>(dc, <i16>((<i32>i16x8.extract_lane_s(low, 0) + 4) >> 3));
  const none = i16x8(0, -1, -1, -1, -1, -1, -1, -1);
  return storeInZigzag(v128.and(quantized(low, steps, 0), none), quantized(v128.load(VALUES, 16), steps, 16), levels);
}

/** Reconstructs a block with a DC value only. */
export function showEven(predicted: v128, dc: i16): v128 {
  const more = i16x8.splat((dc + 4) >> 3);
  return i8x16.narrow_i16x8_u(
    i16x8.add(i16x8.extend_low_i8x16_u(predicted), more),
    i16x8.add(i16x8.extend_high_i8x16_u(predicted), more),
  );
}

/** Reconstructs a block from its levels and a DC value from Y2. */
export function showRest(predicted: v128, levels: usize, steps: usize, dc: i16): v128 {
  const first = v128.load(levels);
  const second = v128.load(levels, 16);
  const low = v128.shuffle<u16>(first, second, 0, 1, 5, 6, 2, 4, 7, 12);
  const high = v128.shuffle<u16>(first, second, 3, 8, 11, 13, 9, 10, 14, 15);
  return inverse(
    i16x8.replace_lane(i16x8.mul(low, v128.load(steps)), 0, dc),
    i16x8.mul(high, v128.load(steps, 16)),
    predicted,
  );
}

/** Sums and differences of rows 0 and 3, 1 and 2 of four columns. */
function hadamard(low: v128, high: v128, isHigh: bool): v128 {
  const turned = v128.shuffle<u64>(high, high, 1, 0);
  const sum = i16x8.add(low, turned);
  const difference = i16x8.sub(low, turned);
  // Rows 0 and 1 are the sums of a0, a1 and a3, a2; rows 2 and 3 their differences.
  const one = v128.shuffle<u64>(sum, difference, 0, 2);
  const other = v128.shuffle<u64>(sum, difference, 1, 3);
  return isHigh ? i16x8.sub(one, other) : i16x8.add(one, other);
}

/**
 * Transforms and quantizes the sixteen DC values of a macroblock's luma, and replaces them by what a decoder will
 * reconstruct.
 *
 * @returns which levels are not 0
 */
export function codeY2(dcs: usize, steps: usize): u32 {
  let low = v128.load(dcs);
  let high = v128.load(dcs, 16);
  for (let pass = 0; pass < 2; pass++) {
    const a = hadamard(low, high, false);
    const b = hadamard(low, high, true);
    low = v128.shuffle<u16>(a, b, 0, 4, 8, 12, 1, 5, 9, 13);
    high = v128.shuffle<u16>(a, b, 2, 6, 10, 14, 3, 7, 11, 15);
  }
  low = quantized(low, steps, 0);
  high = quantized(high, steps, 16);
  const set = storeInZigzag(low, high, LEVELS);
  low = i16x8.mul(low, v128.load(steps));
  high = i16x8.mul(high, v128.load(steps, 16));
  for (let pass = 0; pass < 2; pass++) {
    if (pass === 1) low = i16x8.add(low, i16x8(3, 3, 3, 3, 0, 0, 0, 0));
    const a = hadamard(low, high, false);
    const b = hadamard(low, high, true);
    low = v128.shuffle<u16>(a, b, 0, 4, 8, 12, 1, 5, 9, 13);
    high = v128.shuffle<u16>(a, b, 2, 6, 10, 14, 3, 7, 11, 15);
  }
  v128.store(dcs, i16x8.shr_s(low, 3));
  v128.store(dcs, i16x8.shr_s(high, 3), 16);
  return set;
}
