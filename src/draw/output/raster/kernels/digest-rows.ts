// Digests rows of pixels with a secret key, in AssemblyScript, 32 bytes at a time.
//
// Each block is hashed by NH of UMAC (Black et al., 1999; RFC 4418, §5.2.2), a second time with the key shifted by four
// words: two different blocks have the same digest with a probability of 2^-64, whoever chose them.

import { firstPixels } from './lanes';

/** Bytes of a block; the last block of a row may be shorter. */
const BLOCK: usize = 4096;

/**
 * @param stride pixels from one row to the next
 * @param key BLOCK + 16 random bytes
 * @param to two u64 for each block of each row
 */
export function digestRows(pixels: usize, stride: usize, width: usize, height: u32, key: usize, to: usize): void {
  for (; height > 0; height--, pixels += 4 * stride) {
    for (let at: usize = 0; at < 4 * width; at += BLOCK, to += 16) {
      digestBlock(pixels + at, min(BLOCK, 4 * width - at), key, to);
    }
  }
}

function digestBlock(bytes: usize, length: usize, key: usize, to: usize): void {
  let first = i64x2.splat(0);
  let second = i64x2.splat(0);
  for (let at: usize = 0; at < length; at += 32) {
    let low = v128.load(bytes + at);
    let high = v128.load(bytes + at, 16);
    if (at + 32 > length) {
      const left = (length - at) / 4;
      low = firstPixels(low, left);
      high = firstPixels(high, left > 4 ? left - 4 : 0);
    }
    const middle = v128.load(key + at, 16);
    let a = i32x4.add(low, v128.load(key + at));
    let b = i32x4.add(high, middle);
    first = i64x2.add(first, i64x2.add(i64x2.extmul_low_i32x4_u(a, b), i64x2.extmul_high_i32x4_u(a, b)));
    a = i32x4.add(low, middle);
    b = i32x4.add(high, v128.load(key + at, 32));
    second = i64x2.add(second, i64x2.add(i64x2.extmul_low_i32x4_u(a, b), i64x2.extmul_high_i32x4_u(a, b)));
  }
  store<u64>(to, i64x2.extract_lane(first, 0) + i64x2.extract_lane(first, 1));
  store<u64>(to, i64x2.extract_lane(second, 0) + i64x2.extract_lane(second, 1), 8);
}
