// Filters rows of a photo and converts them to tokens (PNG 3, §9; RFC 1951).
//
// Matches do not pay in the residuals of a photo; only runs of one byte do, as matches at distance 1.

import { filterPixels, PAETH } from './filters';
import { matchLength } from './match-length';
import { packTranslucent } from './pack';
import { clearCounts, countMatch, increment, LONGEST, token } from './tokens';

/** The shortest run that pays as a match. */
const SHORTEST: usize = 8;

/** Three more tables of byte counts: incrementing the same counter twice in a row would stall on the store. */
const MORE_COUNTS = memory.data(3 * 4 * 256, 16);

/**
 * Filters rows with the Paeth predictor.
 *
 * @param rgba the first row, which follows the row above it; premultiplied; with 4 channels unpremultiplied in place
 * @param channels of the file; 3 assumes that every pixel is opaque
 * @param bytes output: filtered rows, each after its filter byte, plus 16 bytes
 * @returns 255, or less when 3 channels are asked for and a pixel is not opaque
 */
export function filterRows(rgba: usize, width: usize, rows: u32, channels: usize, bytes: usize): u32 {
  const above = rgba - 4 * width;
  if (channels === 4) packTranslucent(above, width * (rows + 1), above);
  let alpha: u32 = 255;
  for (; rows > 0; rows--) {
    store<u8>(bytes++, PAETH);
    alpha &= filterPixels(rgba, rgba - 4 * width, width, channels, bytes);
    rgba += 4 * width;
    bytes += channels * width;
  }
  return channels === 3 ? alpha : 255;
}

/** Converts filtered rows to tokens: runs as matches at distance 1, everything else as literals. */
export function findRuns(bytes: usize, length: usize, tokens: usize, counts: usize): void {
  clearCounts(counts);
  memory.fill(MORE_COUNTS, 0, 3 * 4 * 256);
  const end = bytes + length;
  let literals = bytes;
  for (let at = bytes + 1; at < end; ) {
    // After the end, nothing counts as repeated.
    let eight = repeats(at) & (at + 64 <= end ? -1 : ((<u64>1) << (<u64>(end - at))) - 1);
    eight &= eight >> 1;
    eight &= eight >> 2;
    eight &= eight >> 4;
    if (eight === 0) {
      // A run that starts in the last seven bytes is found in the next step.
      at += 64 - (SHORTEST - 1);
      continue;
    }
    const start = at + <usize>ctz(eight);
    // Each byte of a run equals the one before it.
    const run = matchLength(start, start - 1, min(LONGEST, <u32>(end - start)));
    at = start + run;
    countBytes(counts, literals, start);
    countMatch(counts, run, 1);
    tokens = token(tokens, <u32>(start - literals), run | (1 << 9));
    literals = at;
  }
  countBytes(counts, literals, end);
  token(tokens, <u32>(end - literals), 0);
  for (let byte: usize = 0; byte < 4 * 256; byte += 16) {
    const half = i32x4.add(v128.load(MORE_COUNTS + byte), v128.load(MORE_COUNTS + 1024 + byte));
    const rest = i32x4.add(v128.load(counts + byte), v128.load(MORE_COUNTS + 2048 + byte));
    v128.store(counts + byte, i32x4.add(half, rest));
  }
}

/** Which of 64 bytes equal the one before them, one bit each. */
function repeats(at: usize): u64 {
  let bits: u64 = 0;
  for (let i: usize = 0; i < 64; i += 16) {
    const same = i8x16.eq(v128.load(at + i), v128.load(at + i - 1));
    bits |= (<u64>i8x16.bitmask(same)) << i;
  }
  return bits;
}

function countBytes(counts: usize, from: usize, to: usize): void {
  for (; from + 8 <= to; from += 8) {
    const eight = load<u64>(from);
    increment(counts + ((<usize>(eight & 255)) << 2));
    increment(MORE_COUNTS + ((<usize>((eight >> 8) & 255)) << 2));
    increment(MORE_COUNTS + 1024 + ((<usize>((eight >> 16) & 255)) << 2));
    increment(MORE_COUNTS + 2048 + ((<usize>((eight >> 24) & 255)) << 2));
    increment(counts + ((<usize>((eight >> 32) & 255)) << 2));
    increment(MORE_COUNTS + ((<usize>((eight >> 40) & 255)) << 2));
    increment(MORE_COUNTS + 1024 + ((<usize>((eight >> 48) & 255)) << 2));
    increment(MORE_COUNTS + 2048 + ((<usize>(eight >> 56)) << 2));
  }
  for (; from < to; from++) increment(counts + ((<usize>load<u8>(from)) << 2));
}
