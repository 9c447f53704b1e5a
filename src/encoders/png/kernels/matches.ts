// Rows of a drawn picture in, tokens out: what stood there before, to the left or above.

import { clearCounts, countLiterals, countMatch, LONGEST, token, WINDOW } from './tokens';

/** Bits of the hash of two pixels. */
const HASH: u32 = 11;
/** In the table of `findMatches`: the four latest places of each hash. */
const TABLE_BYTES: u32 = 16 << HASH;

/** Bytes that are compared at once, a bit each; here, all are the same. */
const STEP: u32 = 16;
const ALL_SAME: u32 = 0xffff;
/** A match as long as this is taken without a look at what else there is. */
const ENOUGH: u32 = 128;
/** A match nearby as long as this, without a look further off. */
const ENOUGH_NEARBY: u32 = 20;

/** Adds a place to the latest four that began with the same two pixels. Returns those before it. */
function remember(table: usize, at: usize, pixel: u32): v128 {
  const two = load<u64>(at) << (<u64>(64 - 16 * pixel));
  const bucket = table + ((<usize>((two * 0x1e3779b97f4a7d) >> (64 - HASH))) << 4);
  const places = v128.load(bucket);
  v128.store(bucket, v128.shuffle<u32>(places, i32x4.splat(<i32>at), 4, 0, 1, 2));
  return places;
}

function sameBytes(a: usize, b: usize): u32 {
  return i8x16.bitmask(v128.eq<u8>(v128.load(a), v128.load(b)));
}

export function matchLength(a: usize, b: usize, most: u32): u32 {
  for (let length: u32 = 0; length < most; length += STEP) {
    const same = sameBytes(a + length, b + length);
    if (same !== ALL_SAME) return min(most, length + <u32>ctz(~same));
  }
  return most;
}

/**
 * A match as a number, length << 16 | the complement of its distance: the larger is the longer, and of equals the nearer,
 * which takes fewer bits.
 */
// biome-ignore lint/complexity/noStaticOnlyClass: only methods can be marked to be inlined, which saves an eighth of the time
class Match {
  @inline
  static of(length: u32, distance: u32): u32 {
    return (length << 16) | (~distance & 0xffff);
  }

  @inline
  static length(match: u32): u32 {
    return match >> 16;
  }

  @inline
  static distance(match: u32): u32 {
    return ~match & 0xffff;
  }

  /** The longest at one of four distances. */
  @inline
  static longest(distances: v128, at: usize, seen: u32, most: u32): u32 {
    const distance0 = <u32>i32x4.extract_lane(distances, 0);
    const distance1 = <u32>i32x4.extract_lane(distances, 1);
    const distance2 = <u32>i32x4.extract_lane(distances, 2);
    const distance3 = <u32>i32x4.extract_lane(distances, 3);
    const same0 = Match.firstStep(distance0, at, seen);
    const same1 = Match.firstStep(distance1, at, seen);
    const same2 = Match.firstStep(distance2, at, seen);
    const same3 = Match.firstStep(distance3, at, seen);
    // Without a branch up to here: no processor could foresee it.
    const one = max(Match.of(<u32>ctz(~same0), distance0), Match.of(<u32>ctz(~same1), distance1));
    const other = max(Match.of(<u32>ctz(~same2), distance2), Match.of(<u32>ctz(~same3), distance3));
    let match = max(one, other);
    if (Match.length(match) < STEP) return match;
    match = Match.longer(0, same0, distance0, at, most);
    match = Match.longer(match, same1, distance1, at, most);
    match = Match.longer(match, same2, distance2, at, most);
    return Match.longer(match, same3, distance3, at, most);
  }

  /** Which bytes of a step are the same at a distance: none where nothing was seen. */
  @inline
  static firstStep(distance: u32, at: usize, seen: u32): u32 {
    return select<u32>(sameBytes(at - distance, at), 0, distance <= seen);
  }

  /** The longer of a match and one at a distance, of which only a whole first step is worth to go on from. */
  @inline
  static longer(match: u32, same: u32, distance: u32, at: usize, most: u32): u32 {
    const length = Match.length(match);
    if (same !== ALL_SAME || length >= min(ENOUGH, most)) return match;
    // To be longer, it must be the same where the other one ends.
    const last = at + length - (STEP - 1);
    if (length > 0 && sameBytes(last, last - distance) !== ALL_SAME) return match;
    return max(match, Match.of(matchLength(at, at - distance, most), distance));
  }
}

/**
 * Matches for drawn pictures, from pixel to pixel: what repeats there repeats the pixel before, comes from the last
 * distance, from the row above or a pixel beside that, or else from a place that began with the same two pixels. Takes the
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
  let misses: u32 = 0;
  let uncovered: u32 = 0;
  for (;;) {
    while (at >= nextRow) nextRow += rowLength;
    // On to a whole pixel: pixels end with their row.
    const rest = <u32>(nextRow - at);
    at += pixel === 3 ? rest % 3 : rest & 3;
    if (at === nextRow) continue;
    if (at + STEP > end) break;

    const seen = min<u32>(<u32>(at - bytes), WINDOW);
    const most = min<u32>(<u32>(end - at), LONGEST);
    const places = remember(table, at, pixel);
    let match = Match.longest(near, at, seen, most);
    if (Match.length(match) < ENOUGH_NEARBY) {
      match = max(match, Match.longest(i32x4.sub(i32x4.splat(<i32>at), places), at, seen, most));
    }
    let best = Match.length(match);
    if (best < pixel) {
      misses++;
      at += pixel * (1 + (misses >> 6));
      continue;
    }
    misses = 0;
    const distance = Match.distance(match);
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
    // Of what is in it, its last pixel is remembered: the rest is found where it came from.
    const last = literals - pixel;
    if (last > at && last + 8 <= end) remember(table, last, pixel);
    at = literals;
  }
  countLiterals(counts, literals, end - literals);
  token(tokens, <u32>(end - literals), 0);
  return uncovered + <u32>(end - literals);
}
