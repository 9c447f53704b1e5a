// VP8's predictions of a block from the decoded samples above it and to its left (RFC 6386, section 12), and their
// errors.

import { PREDICTED } from './layout';

function average(one: v128, other: v128): v128 {
  return i8x16.avgr_u(one, other);
}

/** (one + 2 middle + other + 2) >> 2 */
function smoothed(one: v128, middle: v128, other: v128): v128 {
  // Averages round up: the rounding of the outer ones is subtracted again.
  const odd = v128.and(v128.xor(one, other), i8x16.splat(1));
  return i8x16.avgr_u(middle, i8x16.sub(i8x16.avgr_u(one, other), odd));
}

/** Modes of macroblocks; to their neighbours, the blocks inside have the same mode. */
const DC = 0;
export const TRUE_MOTION = 1;
export const VERTICAL = 2;
export const HORIZONTAL = 3;

function sumOfBytes(bytes: v128): i32 {
  const four = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
  const two = i32x4.add(four, v128.shuffle<u32>(four, four, 2, 3, 0, 1));
  return i32x4.extract_lane(two, 0) + i32x4.extract_lane(two, 1);
}

/** Repeats each of four samples, which are in the lowest bytes, across a row. */
function rowsOf(left: v128): v128 {
  return v128.shuffle<u8>(left, left, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
}

/** Left plus above minus the corner, for four samples each. */
function trueMotion(above: v128, left: v128, corner: i32): v128 {
  const row = i16x8.extend_low_i8x16_u(above);
  const rows = rowsOf(left);
  const by = i16x8.splat(<i16>corner);
  return i8x16.narrow_i16x8_u(
    i16x8.add(row, i16x8.sub(i16x8.extend_low_i8x16_u(rows), by)),
    i16x8.add(row, i16x8.sub(i16x8.extend_high_i8x16_u(rows), by)),
  );
}

/**
 * The prediction of a block in its macroblock's mode; `above` and `left` are the addresses of its four samples above
 * the macroblock and to its left.
 */
export function predict(mode: u32, above: usize, left: usize, mean: v128, corner: i32): v128 {
  if (mode === DC) return mean;
  if (mode === VERTICAL) return v128.load32_splat(above);
  if (mode === HORIZONTAL) return rowsOf(v128.load32_splat(left));
  return trueMotion(v128.load32_splat(above), v128.load32_splat(left), corner);
}

/** The mean of 1 << `bits` samples above and as many to the left; only those in the picture count. */
export function meanOf(above: v128, left: v128, bits: u32, hasAbove: bool, hasLeft: bool): v128 {
  let sum: i32 = 0;
  if (hasAbove) sum += sumOfBytes(above);
  if (hasLeft) sum += sumOfBytes(left);
  if (hasAbove && hasLeft) bits += 1;
  return i8x16.splat(<i8>(hasAbove || hasLeft ? (sum + ((1 << bits) >> 1)) >> bits : 128));
}

/**
 * The prediction error of a block after a Hadamard transform, as half the sum of absolute values, in eight partial
 * sums: an estimate of the cost of coding it.
 */
export function distance(source: v128, predicted: v128): v128 {
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(source), i16x8.extend_low_i8x16_u(predicted));
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(source), i16x8.extend_high_i8x16_u(predicted));
  const a = i16x8.add(low, high);
  const b = i16x8.sub(low, high);
  const c = v128.shuffle<u64>(a, b, 0, 2);
  const d = v128.shuffle<u64>(a, b, 1, 3);
  const e = i16x8.add(c, d);
  const f = i16x8.sub(c, d);
  const g = v128.shuffle<u32>(e, f, 0, 2, 4, 6);
  const h = v128.shuffle<u32>(e, f, 1, 3, 5, 7);
  const s = i16x8.abs(i16x8.add(g, h));
  const t = i16x8.abs(i16x8.sub(g, h));
  // p + q| + |p - q| is twice the larger of |p| and |q|, which are in adjacent lanes.
  const p = v128.or(i32x4.shl(t, 16), v128.and(s, i32x4.splat(0xffff)));
  const q = v128.or(v128.and(t, i32x4.splat(<i32>0xffff0000)), i32x4.shr_u(s, 16));
  return i16x8.max_u(p, q);
}

/** Adds up the partial sums of four blocks' distances. */
function sumsOf(one: v128, two: v128, three: v128, four: v128): v128 {
  const a = i16x8.add(v128.shuffle<u64>(one, two, 0, 2), v128.shuffle<u64>(one, two, 1, 3));
  const b = i16x8.add(v128.shuffle<u64>(three, four, 0, 2), v128.shuffle<u64>(three, four, 1, 3));
  return i32x4.extadd_pairwise_i16x8_u(
    i16x8.add(v128.shuffle<u32>(a, b, 0, 2, 4, 6), v128.shuffle<u32>(a, b, 1, 3, 5, 7)),
  );
}

/** Four distances plus the costs of their modes, in sixteenths, with the modes in the lowest four bits. */
function withCosts(distances: v128, costs: v128, modes: v128): v128 {
  return v128.or(i32x4.shl(i32x4.add(i32x4.shl(distances, 4), costs), 4), modes);
}

function least(costs: v128): i32 {
  const two = i32x4.min_s(costs, v128.shuffle<u32>(costs, costs, 2, 3, 0, 1));
  return i32x4.extract_lane(i32x4.min_s(two, v128.shuffle<u32>(two, two, 1, 0, 3, 2)), 0);
}

/**
 * Chooses the mode of a macroblock by the sums of its blocks' distances, which may use all 16 bits.
 *
 * @param costs of each mode, in sixteenths of a distance
 * @returns the least cost, times 16, plus its mode
 */
export function leastOf(mean: v128, motion: v128, vertical: v128, horizontal: v128, costs: usize): i32 {
  const a = i32x4.extadd_pairwise_i16x8_u(mean);
  const b = i32x4.extadd_pairwise_i16x8_u(motion);
  const c = i32x4.extadd_pairwise_i16x8_u(vertical);
  const d = i32x4.extadd_pairwise_i16x8_u(horizontal);
  const ab = i32x4.add(v128.shuffle<u32>(a, b, 0, 2, 4, 6), v128.shuffle<u32>(a, b, 1, 3, 5, 7));
  const cd = i32x4.add(v128.shuffle<u32>(c, d, 0, 2, 4, 6), v128.shuffle<u32>(c, d, 1, 3, 5, 7));
  const sums = i32x4.add(v128.shuffle<u32>(ab, cd, 0, 2, 4, 6), v128.shuffle<u32>(ab, cd, 1, 3, 5, 7));
  return least(withCosts(sums, v128.load16x4_u(costs), i32x4(0, 1, 2, 3)));
}

function predicted(mode: usize, block: v128, source: v128): v128 {
  v128.store(PREDICTED + 16 * mode, block);
  return distance(source, block);
}

/**
 * Predicts a block in each of the ten modes, and chooses one.
 *
 * @param above the sample before it, four above it and four after those
 * @param left four samples, the upper one in the lowest byte
 * @param costs of each mode, in sixteenths of a distance
 * @returns the least cost, times 16, plus its mode
 */
export function chooseBlockMode(source: v128, above: usize, left: u32, costs: usize): i32 {
  const top = v128.load(above);
  const side = i32x4.splat(left);
  // From the lowest sample on the left, which is repeated, around the corner to the last one above, which is repeated
  // too.
  const edge = v128.shuffle<u8>(side, top, 3, 3, 2, 1, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 24, 24);
  const next = v128.shuffle<u8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const third = v128.shuffle<u8>(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  const two = average(edge, next);
  const three = smoothed(edge, next, third);

  const eight = v128.and(v128.shuffle<u8>(edge, edge, 1, 2, 3, 4, 6, 7, 8, 9, 1, 1, 1, 1, 1, 1, 1, 1), i64x2(-1, 0));
  const dc = predicted(0, i8x16.splat(<i8>((sumOfBytes(eight) + 4) >> 3)), source);
  const own = v128.shuffle<u8>(edge, edge, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9);
  const tm = predicted(1, trueMotion(own, side, load<u8>(above)), source);
  const ve = predicted(2, v128.shuffle<u8>(three, three, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8), source);
  const he = predicted(3, v128.shuffle<u8>(three, three, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0), source);
  const rd = predicted(4, v128.shuffle<u8>(three, three, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4), source);
  const vr = predicted(
    5,
    v128.shuffle<u8>(two, three, 5, 6, 7, 8, 20, 21, 22, 23, 19, 5, 6, 7, 18, 20, 21, 22),
    source,
  );
  const ld = predicted(6, v128.shuffle<u8>(three, three, 6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12), source);
  const vl = predicted(
    7,
    v128.shuffle<u8>(two, three, 6, 7, 8, 9, 22, 23, 24, 25, 7, 8, 9, 26, 23, 24, 25, 27),
    source,
  );
  const hd = predicted(
    8,
    v128.shuffle<u8>(two, three, 4, 20, 21, 22, 3, 19, 4, 20, 2, 18, 3, 19, 1, 17, 2, 18),
    source,
  );
  const hu = predicted(9, v128.shuffle<u8>(two, three, 3, 18, 2, 17, 2, 17, 1, 16, 1, 16, 0, 0, 0, 0, 0, 0), source);

  const first = withCosts(sumsOf(dc, tm, ve, he), v128.load16x4_u(costs), i32x4(0, 1, 2, 3));
  const second = withCosts(sumsOf(rd, vr, ld, vl), v128.load16x4_u(costs, 8), i32x4(4, 5, 6, 7));
  const last = withCosts(sumsOf(hd, hu, hd, hu), v128.load16x4_u(costs, 16), i32x4(8, 9, 8, 9));
  return least(i32x4.min_s(i32x4.min_s(first, second), last));
}

/** A block's last column, from top to bottom. */
export function lastColumn(block: usize): u32 {
  const samples = v128.load(block);
  return <u32>(
    i32x4.extract_lane(v128.shuffle<u8>(samples, samples, 3, 7, 11, 15, 3, 7, 11, 15, 3, 7, 11, 15, 3, 7, 11, 15), 0)
  );
}
