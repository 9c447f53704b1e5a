// Compares bytes, sixteen at a time. The caller leaves as many readable bytes after the end.

/** Bytes compared at once, one bit each; ALL_SAME means that all are equal. */
export const STEP: u32 = 16;
export const ALL_SAME: u32 = 0xffff;

/** Which of the next bytes are equal, one bit each. */
export function sameBytes(a: usize, b: usize): u32 {
  return i8x16.bitmask(v128.eq<u8>(v128.load(a), v128.load(b)));
}

/** How many bytes are equal, up to `most`. */
export function matchLength(a: usize, b: usize, most: u32): u32 {
  for (let length: u32 = 0; length < most; length += STEP) {
    const same = sameBytes(a + length, b + length);
    if (same !== ALL_SAME) return min(most, length + <u32>ctz(~same));
  }
  return most;
}
