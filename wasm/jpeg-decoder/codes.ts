// Huffman codes as a JPEG file says them in, what is looked up for the next bits out (T.81, annex C and F.2.2).
//
// A symbol says how many zeros come before a value (its high digit) and how many bits the value has (its low one). Where
// a code and the value behind it are short, the next bits say both at once.

/** Bits that are looked up at a time. */
export const LOOKED_UP: u32 = 10;

// What follows for one table of codes, bytes.

/** By the next bits, 32 each: `value << 16 | zeros << 8 | bits of both`, where the value is known; where it is not,
 * `size << 12 | zeros << 8 | bits of the code`; 0 where the code is longer. */
const LIMITS: usize = 4 << LOOKED_UP;
/** By length: what 16 bits that begin with a code of that length, or a shorter one, stay below. */
const OFFSETS: usize = LIMITS + 4 * 17;
/** By length: what is added to a code for its symbol's number. */
const SYMBOLS: usize = OFFSETS + 4 * 17;

/** A value of so many bits (T.81, F.2.2.1). */
export function extended(own: i32, size: u32): i32 {
  return own >> (size - 1) ? own : own - (1 << size) + 1;
}

/**
 * @param codes where what follows is written
 * @param lengths how many codes there are of each length, 1 to 16; a byte each
 * @param symbols what they stand for, by code; no more than 256
 */
export function buildCodes(codes: usize, lengths: usize, symbols: usize): void {
  memory.fill(codes, 0, LIMITS);
  memory.copy(codes + SYMBOLS, symbols, 256);
  let code: u32 = 0;
  let number: u32 = 0;
  for (let length: u32 = 1; length <= 16; length++) {
    store<u32>(codes + OFFSETS + 4 * <usize>length, number - code);
    const count: u32 = load<u8>(lengths + length - 1);
    if (length <= LOOKED_UP) {
      for (let n: u32 = 0; n < count; n++) enter(codes, code + n, length, load<u8>(symbols + number + n));
    }
    code += count;
    number += count;
    store<u32>(codes + LIMITS + 4 * <usize>length, code << (16 - length));
    code <<= 1;
  }
}

/** Writes what all bits that begin with a short code say. */
function enter(codes: usize, code: u32, length: u32, symbol: u32): void {
  const size = symbol & 15;
  const zeros = symbol >> 4;
  const behind = LOOKED_UP - length;
  const from = code << behind;
  for (let rest: u32 = 0; rest < (<u32>1) << behind; rest++) {
    const entry =
      size > 0 && size <= behind
        ? (extended(rest >> (behind - size), size) << 16) | (zeros << 8) | (length + size)
        : (size << 12) | (zeros << 8) | length;
    store<u32>(codes + 4 * <usize>(from + rest), entry);
  }
}

/** What a long code says, or 0 where there is none. @param next the next 16 bits */
export function longCode(codes: usize, next: u32): u32 {
  for (let length: usize = LOOKED_UP + 1; length <= 16; length++) {
    if (next >= load<u32>(codes + LIMITS + 4 * length)) continue;
    const number = load<u32>(codes + OFFSETS + 4 * length) + (next >> (16 - <u32>length));
    const symbol: u32 = load<u8>(codes + SYMBOLS + number);
    return ((symbol & 15) << 12) | ((symbol >> 4) << 8) | <u32>length;
  }
  return 0;
}
