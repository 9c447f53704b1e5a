// The Adler-32 checksum of a zlib stream.

import { total } from './lanes';

/** Bytes added per iteration. */
const STEP: usize = 32;
/** Most bytes whose sums fit 32 bits; their column sums fit 16. */
const MOST: usize = 173 * STEP;

/** Adler-32 (RFC 1950, §8.2), continued from `sum`. */
export function adler32(sum: u32, bytes: usize, length: usize): u32 {
  let a: u32 = sum & 0xffff;
  let b: u32 = sum >>> 16;
  while (length > 0) {
    let part = min(length, MOST);
    length -= part;
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let first = i16x8.splat(0);
    let second = i16x8.splat(0);
    let third = i16x8.splat(0);
    let fourth = i16x8.splat(0);
    b += a * <u32>(part & ~(STEP - 1));
    for (; part >= STEP; part -= STEP, bytes += STEP) {
      const x = v128.load(bytes);
      const y = v128.load(bytes, 16);
      before = i32x4.add(before, sums);
      const pairs = i16x8.add(i16x8.extadd_pairwise_i8x16_u(x), i16x8.extadd_pairwise_i8x16_u(y));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(pairs));
      first = i16x8.add(first, i16x8.extend_low_i8x16_u(x));
      second = i16x8.add(second, i16x8.extend_high_i8x16_u(x));
      third = i16x8.add(third, i16x8.extend_low_i8x16_u(y));
      fourth = i16x8.add(fourth, i16x8.extend_high_i8x16_u(y));
    }
    b += <u32>STEP * total(before);
    b += weighted(first, i16x8(32, 31, 30, 29, 28, 27, 26, 25));
    b += weighted(second, i16x8(24, 23, 22, 21, 20, 19, 18, 17));
    b += weighted(third, i16x8(16, 15, 14, 13, 12, 11, 10, 9));
    b += weighted(fourth, i16x8(8, 7, 6, 5, 4, 3, 2, 1));
    a += total(sums);
    for (; part > 0; part--) {
      a += load<u8>(bytes++);
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return (b << 16) | a;
}

function weighted(columns: v128, weights: v128): u32 {
  const low = i32x4.extmul_low_i16x8_u(columns, weights);
  return total(i32x4.add(low, i32x4.extmul_high_i16x8_u(columns, weights)));
}
