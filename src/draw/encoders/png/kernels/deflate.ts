// Writes tokens as a block of a deflate stream with dynamic Huffman codes (RFC 1951, §3.2.7).

import { put } from './bits';
import { chooseCodes } from './huffman';
import {
  COUNTS_BYTES,
  DISTANCE_SYMBOLS,
  DISTANCES,
  distanceSymbol,
  END_OF_BLOCK,
  increment,
  LENGTHS,
  LITERAL_SYMBOLS,
  LONGEST,
  LONGEST_CODE,
} from './tokens';

/** Longest code length, in bits, of the code for code lengths. */
const LONGEST_LENGTH_CODE: u32 = 7;
const LENGTH_SYMBOLS: u32 = 19;
/** The order in which the lengths of that code are written. */
const LENGTH_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
/** Extra bits for the length of a run, by symbol from 16 on. */
const RUN_BITS = memory.data<u8>([2, 3, 7]);

/** All code lengths, one byte each, followed by an invalid one. */
const TOLD = memory.data(316 + 1);
/** The run-length encoded code lengths: u16, symbol | extra value << 5. */
const WORDS = memory.data(2 * 316);
/** Counts, then codes, of these symbols, u32. */
const LENGTH_CODES = memory.data(4 * 19);
/** For each match length, u32: an entry like that of a code, including the length's extra bits. */
const SPELLED = memory.data(4 * 259);

/** The counts of a block's symbols, u32. */
const COUNTED = memory.data(4 * 316);

/**
 * Chooses the codes of a block.
 *
 * @param counts of the tokens' symbols; replaced by their codes
 * @returns bits that the tokens and the end of the block take with them
 */
export function chooseBlock(counts: usize): u32 {
  memory.copy(COUNTED, counts, COUNTS_BYTES);
  chooseCodes(counts, LITERAL_SYMBOLS, LONGEST_CODE);
  chooseCodes(counts + DISTANCES, DISTANCE_SYMBOLS, LONGEST_CODE);
  let bits: u32 = 0;
  for (let at: usize = 0; at < COUNTS_BYTES; at += 4) bits += load<u32>(COUNTED + at) * (load<u32>(counts + at) & 255);
  for (let symbol: u32 = 8; symbol < 28; symbol++) {
    bits += load<u32>(COUNTED + LENGTHS + 4 * symbol) * lengthBits(symbol);
  }
  for (let symbol: u32 = 4; symbol < DISTANCE_SYMBOLS; symbol++) {
    bits += load<u32>(COUNTED + DISTANCES + 4 * symbol) * distanceBits(symbol);
  }
  return bits;
}

/** Extra bits after the symbol of a length, minus 257; the last one has none. */
function lengthBits(symbol: u32): u32 {
  return symbol < 8 ? 0 : (symbol >> 2) - 1;
}

/** Extra bits after the symbol of a distance. */
function distanceBits(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/**
 * Writes tokens as a block, padded to a byte boundary.
 *
 * @param literals the bytes that the tokens describe
 * @param codes as `chooseBlock` chose them
 * @param isLast whether the stream ends here; otherwise an empty stored block follows, which ends on a byte boundary
 * @returns the number of bytes written
 */
export function writeBlock(tokens: usize, literals: usize, codes: usize, out: usize, isLast: bool): u32 {
  const position = writeTokens(tokens, literals, codes, out, writeHead(codes, out, isLast));
  return finishBlock(codes, out, position, isLast);
}

/** Writes the end of a block, padded to a byte boundary. Returns its size in bytes. */
function finishBlock(codes: usize, out: usize, position: u32, isLast: bool): u32 {
  const end = load<u32>(codes + END_OF_BLOCK);
  position = put(out, position, end >> 8, end & 255);
  if (isLast) return (position + 7) >> 3;
  // The stored block begins with three zero bits; after the byte boundary follow its length, 0, and the complement of
  // that.
  const size = (position + 3 + 7) >> 3;
  store<u32>(out + size, 0xffff0000);
  return size + 4;
}

/** Writes the block header and its codes. Returns the position after them. */
function writeHead(codes: usize, out: usize, isLast: bool): u32 {
  const literalCount = symbolsTold(codes, LITERAL_SYMBOLS);
  const distanceCount = symbolsTold(codes + DISTANCES, DISTANCE_SYMBOLS);
  for (let i: u32 = 0; i < literalCount; i++) store<u8>(TOLD + i, load<u8>(codes + 4 * i));
  for (let i: u32 = 0; i < distanceCount; i++) {
    store<u8>(TOLD + literalCount + i, load<u8>(codes + DISTANCES + 4 * i));
  }
  const end = tellLengths(literalCount + distanceCount);
  chooseCodes(LENGTH_CODES, LENGTH_SYMBOLS, LONGEST_LENGTH_CODE);
  let told = LENGTH_SYMBOLS;
  while (load<u32>(lengthCode(load<u8>(LENGTH_ORDER + told - 1))) === 0) told--;

  store<u8>(out, 0);
  let position = put(out, 0, isLast ? 1 : 0, 1);
  position = put(out, position, 2, 2);
  position = put(out, position, literalCount - 257, 5);
  position = put(out, position, distanceCount - 1, 5);
  position = put(out, position, told - 4, 4);
  for (let i: u32 = 0; i < told; i++) {
    position = put(out, position, load<u8>(lengthCode(load<u8>(LENGTH_ORDER + i))), 3);
  }
  for (let at = WORDS; at < end; at += 2) {
    const word = <u32>load<u16>(at);
    const symbol = word & 31;
    const code = load<u32>(lengthCode(symbol));
    position = put(out, position, code >> 8, code & 255);
    if (symbol >= 16) position = put(out, position, word >> 5, load<u8>(RUN_BITS + symbol - 16));
  }
  spellLengths(codes);
  return position;
}

/** The number of symbols up to the last one that has a code. */
function symbolsTold(codes: usize, symbols: u32): u32 {
  while (load<u32>(codes + 4 * symbols - 4) === 0) symbols--;
  return symbols;
}

/**
 * Run-length encodes the first code lengths of TOLD as WORDS and counts their symbols. Returns the end of the words.
 */
function tellLengths(lengths: u32): usize {
  memory.fill(LENGTH_CODES, 0, 4 * LENGTH_SYMBOLS);
  let end = WORDS;
  store<u8>(TOLD + lengths, 255);
  for (let at: usize = 0; at < lengths; ) {
    const length = <u32>load<u8>(TOLD + at);
    let run: u32 = 1;
    while (load<u8>(TOLD + at + run) === length) run++;
    at += run;
    if (length !== 0) {
      end = tell(end, length, 0);
      run--;
    }
    while (run >= 3) {
      const part = min<u32>(run, length === 0 ? 138 : 6);
      if (length !== 0) end = tell(end, 16, part - 3);
      else if (part < 11) end = tell(end, 17, part - 3);
      else end = tell(end, 18, part - 11);
      run -= part;
    }
    for (; run > 0; run--) end = tell(end, length, 0);
  }
  return end;
}

function tell(end: usize, symbol: u32, run: u32): usize {
  store<u16>(end, <u16>(symbol | (run << 5)));
  increment(lengthCode(symbol));
  return end + 2;
}

function lengthCode(symbol: u32): usize {
  return LENGTH_CODES + 4 * symbol;
}

/**
 * Precomputes the code and extra bits of each match length: once per block, because many matches have the same length.
 */
function spellLengths(codes: usize): void {
  let length: u32 = 3;
  for (let symbol: u32 = 0; symbol < 28; symbol++) {
    const entry = load<u32>(codes + LENGTHS + 4 * symbol);
    const bits = entry & 255;
    // There are four symbols per power of two; the bits below the three highest are extra bits.
    const extra = lengthBits(symbol);
    const end = length + (1 << extra);
    if (entry === 0) length = end;
    for (let own: u32 = 0; length < end; own++, length++) {
      store<u32>(SPELLED + 4 * length, (bits + extra) | (((entry >> 8) | (own << bits)) << 8));
    }
  }
  store<u32>(SPELLED + 4 * LONGEST, load<u32>(codes + LENGTHS + 4 * 28));
}

/** Writes tokens, then zeros up to the byte boundary and beyond. Returns the position after the tokens. */
function writeTokens(tokens: usize, literals: usize, codes: usize, out: usize, position: u32): u32 {
  const distances = codes + DISTANCES;
  let at = out + (position >> 3);
  let count: u64 = position & 7;
  let bits: u64 = load<u8>(at);
  for (;;) {
    let run = load<u32>(tokens);
    const match = load<u32>(tokens, 4);
    tokens += 8;
    for (; run >= 4; run -= 4, literals += 4) {
      const first: u64 = load<u32>(codes + ((<usize>load<u8>(literals)) << 2));
      const second: u64 = load<u32>(codes + ((<usize>load<u8>(literals, 1)) << 2));
      const third: u64 = load<u32>(codes + ((<usize>load<u8>(literals, 2)) << 2));
      const fourth: u64 = load<u32>(codes + ((<usize>load<u8>(literals, 3)) << 2));
      // Shifts use only the lowest six bits, where entries have their lengths; four lengths add up to less than 64.
      const low = (first >> 8) | ((second >> 8) << first);
      const high = (third >> 8) | ((fourth >> 8) << third);
      bits |= (low | (high << (first + second))) << count;
      count += (first + second + third + fourth) & 63;
      store<u64>(at, bits);
      at += <usize>(count >> 3);
      bits >>= count & 56;
      count &= 7;
    }
    for (; run > 0; run--, literals++) {
      const entry: u64 = load<u32>(codes + ((<usize>load<u8>(literals)) << 2));
      bits |= (entry >> 8) << count;
      count += entry & 63;
      store<u64>(at, bits);
      at += <usize>(count >> 3);
      bits >>= count & 56;
      count &= 7;
    }
    if (match === 0) break;

    const length = match & 511;
    const distance = match >> 9;
    literals += length;
    let entry: u64 = load<u32>(SPELLED + 4 * length);
    bits |= (entry >> 8) << count;
    count += entry & 63;
    const far = distanceSymbol(distance);
    entry = load<u32>(distances + 4 * far);
    bits |= (entry >> 8) << count;
    count += entry & 63;
    if (far >= 4) {
      const extra = distanceBits(far);
      bits |= (<u64>((distance - 1) & ((1 << extra) - 1))) << count;
      count += extra;
    }
    store<u64>(at, bits);
    at += <usize>(count >> 3);
    bits >>= count & 56;
    count &= 7;
  }
  store<u64>(at, bits);
  return ((<u32>(at - out)) << 3) + <u32>count;
}
