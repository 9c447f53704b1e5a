// Combines the Adler-32 checksums of two byte ranges into that of both in a row (RFC 1950, §8.2), so that bands can be
// summed separately.

const MODULUS = 65_521;

/** @param secondBytes number of bytes that `second` is the checksum of */
export function adlerCombine(first: number, second: number, secondBytes: number): number {
  // Each sum starts at 1, which must not be counted twice.
  const before = (first & 0xffff) - 1 + MODULUS;
  const a = (before + (second & 0xffff)) % MODULUS;
  const b = ((first >>> 16) + (second >>> 16) + (secondBytes % MODULUS) * before) % MODULUS;
  return ((b << 16) | a) >>> 0;
}
