// The Adler-32 of two stretches in, that of both in a row out (RFC 1950, §8.2): so that bands can be summed apart.

const MODULUS = 65_521;

/** @param secondBytes how many bytes `second` is the sum of */
export function adlerCombine(first: number, second: number, secondBytes: number): number {
  // A sum starts from 1, which must not count twice.
  const before = (first & 0xffff) - 1 + MODULUS;
  const a = (before + (second & 0xffff)) % MODULUS;
  const b = ((first >>> 16) + (second >>> 16) + (secondBytes % MODULUS) * before) % MODULUS;
  return ((b << 16) | a) >>> 0;
}
