// The checksum of a zlib stream.

import { total } from '../pixels/lanes';

/** Adler-32 (RFC 1950, §8.2), going on from `sum`. */
export function adler32(sum: u32, bytes: usize, length: usize): u32 {
  let a: u32 = sum & 0xffff;
  let b: u32 = sum >>> 16;
  // As many bytes as 32 bits can add up.
  const most: usize = 5552;
  const highWeights = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const lowWeights = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (length > 0) {
    let part = min(length, most);
    length -= part;
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    b += a * <u32>(part & ~15);
    for (; part >= 16; part -= 16, bytes += 16) {
      const x = v128.load(bytes);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(x)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(x), highWeights));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(x), lowWeights));
    }
    b += 16 * total(before) + total(weighted);
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
