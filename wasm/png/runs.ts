// Filtered rows of a photo in, tokens out: runs of one byte are what pays there.

import { clearCounts, countLiterals, countMatch, increment, LONGEST, token } from './tokens';

/** Of a photo's band, one byte in so many is counted: channels, and the blocks of a JPEG, come round in other numbers. */
const SAMPLED: u32 = 5;
/** Of a smaller band, all are. */
const LEAST_SAMPLED: usize = 16384;

/** Counts of literals, three times 256. */
const SPARE = memory.data(3 * 1024, 16);

/** Counts into four tables, for equal neighbours would wait for each other's count. */
function sampleLiterals(counts: usize, bytes: usize, length: usize): void {
  const end = bytes + length;
  for (; bytes + 4 * SAMPLED <= end; bytes += 4 * SAMPLED) {
    increment(counts + ((<usize>load<u8>(bytes)) << 2));
    increment(SPARE + ((<usize>load<u8>(bytes, SAMPLED)) << 2));
    increment(SPARE + 1024 + ((<usize>load<u8>(bytes, 2 * SAMPLED)) << 2));
    increment(SPARE + 2048 + ((<usize>load<u8>(bytes, 3 * SAMPLED)) << 2));
  }
  for (; bytes < end; bytes += SAMPLED) increment(counts + ((<usize>load<u8>(bytes)) << 2));
}

/** Estimates how often each literal occurs from a sample, in which any may be missing. */
function estimateLiterals(counts: usize): void {
  for (let i: usize = 0; i < 1024; i += 16) {
    const first = i32x4.add(v128.load(counts + i), v128.load(SPARE + i));
    const second = i32x4.add(v128.load(SPARE + 1024 + i), v128.load(SPARE + 2048 + i));
    const sum = i32x4.add(first, second);
    v128.store(counts + i, i32x4.add(i32x4.mul(sum, i32x4.splat(SAMPLED)), i32x4.splat(1)));
  }
}

/** Which of 64 bytes repeat the one before them, a bit each. */
function repeats(at: usize): u64 {
  let bits: u64 = 0;
  for (let i: usize = 0; i < 64; i += 16) {
    const same = v128.eq<u8>(v128.load(at + i), v128.load(at + i - 1));
    bits |= (<u64>i8x16.bitmask(same)) << i;
  }
  return bits;
}

/** Runs of one byte as matches at distance 1, all else as literals. How often a literal occurs is estimated. */
export function findRuns(bytes: usize, length: usize, tokens: usize, counts: usize): void {
  clearCounts(counts);
  const isSampled = length >= LEAST_SAMPLED;
  if (isSampled) memory.fill(SPARE, 0, 3 * 1024);
  const end = bytes + length;
  let literals = bytes;
  let at = bytes + 1;
  while (at < end) {
    // Behind the end, nothing repeats.
    let eight = repeats(at) & (at + 64 <= end ? -1 : ((<u64>1) << (<u64>(end - at))) - 1);
    eight &= eight >> 1;
    eight &= eight >> 2;
    eight &= eight >> 4;
    if (eight === 0) {
      // A run of eight that starts in the last seven bytes is found from there.
      at += 57;
      continue;
    }
    let start = at + <usize>ctz(eight);
    while (start - 1 > literals && load<u8>(start - 1) === load<u8>(start - 2)) start--;
    at = start + 8;
    const value = i8x16.splat(load<u8>(start));
    while (at + 16 <= end && v128.all_true<u8>(v128.eq<u8>(v128.load(at), value))) at += 16;
    while (at < end && load<u8>(at) === load<u8>(start)) at++;
    while (at - start >= 3) {
      const part = min<u32>(<u32>(at - start), LONGEST);
      if (isSampled) sampleLiterals(counts, literals, start - literals);
      else countLiterals(counts, literals, start - literals);
      countMatch(counts, part, 1);
      tokens = token(tokens, <u32>(start - literals), part | (1 << 9));
      start += part;
      literals = start;
    }
    at = start + 1;
  }
  if (isSampled) {
    sampleLiterals(counts, literals, end - literals);
    estimateLiterals(counts);
  } else {
    countLiterals(counts, literals, end - literals);
  }
  token(tokens, <u32>(end - literals), 0);
}
