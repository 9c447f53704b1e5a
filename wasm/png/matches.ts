// Rows of a drawn picture in, tokens out: what stood there before, to the left or above.

import { clearCounts, countLiterals, countMatch, LONGEST, token, WINDOW } from './tokens';

function matchLength(a: usize, b: usize, most: u32): u32 {
  for (let length: u32 = 0; length < most; length += 16) {
    const same = i8x16.bitmask(v128.eq<u8>(v128.load(a + length), v128.load(b + length)));
    if (same !== 0xffff) return min(most, length + <u32>ctz(~same));
  }
  return most;
}

/** Bits of the hash of two pixels. */
const HASH: u32 = 12;
/** In the table of `findMatches`: four distances to places nearby, four to the latest places of a hash. */
const FAR: usize = 16;
const BUCKETS: usize = 32;
const TABLE_BYTES: u32 = <u32>BUCKETS + (16 << HASH);

/** A match as long as this is taken without a look at what else there is. */
const ENOUGH: u32 = 128;
/** Of a longer match only its start is remembered: the rest of it is found where it came from. */
const REMEMBERED: u32 = 24;

/** Where the four latest places of two pixels are kept. */
function bucketOf(table: usize, at: usize, pixel: u32): usize {
  const two = load<u64>(at) << (<u64>(64 - 16 * pixel));
  return table + BUCKETS + ((<usize>((two * 0x1e3779b97f4a7d) >> (64 - HASH))) << 4);
}

function remember(bucket: usize, places: v128, at: usize): void {
  v128.store(bucket, v128.shuffle<u32>(places, i32x4.splat(<i32>at), 4, 0, 1, 2));
}

/** The longest of the matches at eight distances, the first of equals, as length | distance << 9. */
function longestMatch(distances: usize, bytes: usize, at: usize, most: u32): u32 {
  const seen = min<u32>(<u32>(at - bytes), WINDOW);
  const here = v128.load(at);
  let longest: u32 = 0;
  let whole: u32 = 0;
  // Sixteen bytes at each distance, without a branch: no processor could foresee it.
  for (let i: u32 = 0; i < 8; i++) {
    const distance = load<u32>(distances + 4 * i);
    const same = select<u32>(i8x16.bitmask(v128.eq<u8>(v128.load(at - distance), here)), 0, distance <= seen);
    whole |= u32(same === 0xffff) << i;
    longest = max<u32>(longest, ((<u32>ctz(~same)) << 3) | (7 - i));
  }
  let best = longest >> 3;
  let far = load<u32>(distances + 4 * (7 - (longest & 7)));
  for (; whole !== 0 && best < ENOUGH; whole &= whole - 1) {
    const distance = load<u32>(distances + ((<usize>ctz(whole)) << 2));
    const found = matchLength(at, at - distance, most);
    if (found > best) {
      best = found;
      far = distance;
    }
  }
  return best | (far << 9);
}

/**
 * Matches for drawn pictures, from pixel to pixel: what repeats there repeats the pixel before, comes from the last
 * distance, from the row above or a pixel beside that, or from a place that began with the same two pixels. Takes the
 * longest at once, without looking for a better one a pixel later.
 *
 * @param bytes further than a row from the start of the memory
 * @param from the filter byte of the first row; what lies before it, from `bytes` on, may be matched
 * @param rowLength with the filter byte
 * @param table TABLE_BYTES bytes for its own use
 * @returns how many bytes no match covers
 */
export function findMatches(
  bytes: usize,
  from: usize,
  length: usize,
  rowLength: u32,
  pixel: u32,
  table: usize,
  tokens: usize,
  counts: usize,
): u32 {
  clearCounts(counts);
  memory.fill(table, 0, TABLE_BYTES);
  let near = i32x4(pixel, rowLength, rowLength - pixel, pixel);
  const end = from + length;
  let literals = from;
  let nextRow = from + rowLength;
  let at = from;
  let best: u32 = 0;
  let distance: u32 = pixel;
  let misses: u32 = 0;
  let uncovered: u32 = 0;
  for (;;) {
    while (at >= nextRow) nextRow += rowLength;
    // On to a whole pixel: pixels end with their row.
    const rest = <u32>(nextRow - at);
    at += pixel === 3 ? rest % 3 : rest & 3;
    if (at === nextRow) continue;
    if (at + 16 > end) break;

    const most = min<u32>(<u32>(end - at), LONGEST);
    if (best === LONGEST) {
      // A surface goes on as it did, unless it has become flat, which is told in fewer bits.
      best = matchLength(at, at - pixel, most);
      if (best >= ENOUGH) distance = pixel;
      else best = matchLength(at, at - distance, most);
    } else {
      best = 0;
    }
    if (best < ENOUGH) {
      const bucket = bucketOf(table, at, pixel);
      const places = v128.load(bucket);
      remember(bucket, places, at);
      v128.store(table, near);
      v128.store(table, i32x4.sub(i32x4.splat(<i32>at), places), FAR);
      const match = longestMatch(table, bytes, at, most);
      best = match & 511;
      distance = match >> 9;
    }
    if (best < pixel) {
      misses++;
      at += pixel * (1 + (misses >> 6));
      continue;
    }
    misses = 0;
    near = i32x4.replace_lane(near, 3, <i32>distance);
    let start = at;
    for (; start > literals && start - distance > bytes; start--) {
      if (load<u8>(start - 1) !== load<u8>(start - 1 - distance)) break;
      best = min(best + 1, LONGEST);
    }
    countLiterals(counts, literals, start - literals);
    countMatch(counts, best, distance);
    tokens = token(tokens, <u32>(start - literals), best | (distance << 9));
    uncovered += <u32>(start - literals);
    literals = start + best;
    if (best <= REMEMBERED) {
      for (at += pixel; at < literals && at + 8 <= end; at += pixel) {
        const inside = bucketOf(table, at, pixel);
        remember(inside, v128.load(inside), at);
      }
    }
    at = literals;
  }
  countLiterals(counts, literals, end - literals);
  token(tokens, <u32>(end - literals), 0);
  return uncovered + <u32>(end - literals);
}
