// The tokens of a band, and counts of the deflate symbols in them (RFC 1951, §3.2.5).
//
// A token is a pair of u32: a number of literal bytes, then a match as length | distance << 9. A match of 0 ends the
// list. Counts are u32 by symbol: literals, the end of the block and lengths, then distances.

export const LITERAL_SYMBOLS: u32 = 286;
export const DISTANCE_SYMBOLS: u32 = 30;
export const END_OF_BLOCK: usize = 4 * 256;
export const LENGTHS: usize = 4 * 257;
export const DISTANCES: usize = 4 * 286;
/** Length of the longest code in bits: four codes and the rest of a byte fit 64 bits. */
export const LONGEST_CODE: u32 = 14;
export const COUNTS_BYTES: usize = 4 * 316;
/** Longest match, and largest distance. */
export const LONGEST: u32 = 258;
export const WINDOW: u32 = 32768;

/** Resets the counts to those of an empty block, which has only its end symbol. */
export function clearCounts(counts: usize): void {
  memory.fill(counts, 0, COUNTS_BYTES);
  store<u32>(counts, 1, END_OF_BLOCK);
}

export function increment(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

export function countLiterals(counts: usize, bytes: usize, length: usize): void {
  for (; length > 0; length--) increment(counts + ((<usize>load<u8>(bytes++)) << 2));
}

/** The length symbol minus 257. */
function lengthSymbol(length: u32): u32 {
  if (length < 11) return length - 3;
  if (length === LONGEST) return 28;
  const power: u32 = 31 - clz(length - 3);
  return 4 * (power - 1) + (((length - 3) >> (power - 2)) & 3);
}

export function distanceSymbol(distance: u32): u32 {
  const before = distance - 1;
  if (before < 4) return before;
  const power: u32 = 31 - clz(before);
  return 2 * power + ((before >> (power - 1)) & 1);
}

export function countMatch(counts: usize, length: u32, distance: u32): void {
  increment(counts + LENGTHS + 4 * lengthSymbol(length));
  increment(counts + DISTANCES + 4 * distanceSymbol(distance));
}

/** Bytes of a token. */
const TOKEN: usize = 8;

export function token(tokens: usize, literals: u32, match: u32): usize {
  store<u32>(tokens, literals);
  store<u32>(tokens, match, 4);
  return tokens + TOKEN;
}
