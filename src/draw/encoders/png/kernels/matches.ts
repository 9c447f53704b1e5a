// Converts rows of a drawing to tokens, with matches of what occurred before, to the left or above.

import { findDrift } from './drift';
import { ALL_SAME, matchLength, STEP, sameBytes } from './match-length';
import { clearCounts, countLiterals, countMatch, LONGEST, token, WINDOW } from './tokens';

/** Bits of the hash of two pixels, or of four palette indices. */
const HASH: u32 = 11;
/** Size of the table of `findMatches`: the four latest addresses for each hash. */
const TABLE_BYTES: u32 = 16 << HASH;

/** A match of this length is taken without looking at the other candidates. */
const ENOUGH: u32 = 128;
/** A nearby match of this length is taken without looking farther away. */
const ENOUGH_NEARBY: u32 = 20;
/** The shortest match of palette indices: in few colours, a shorter one takes more bits than its literals. */
const SHORTEST_INDICES: u32 = 5;

/**
 * Adds an address to the latest four that begin with the same bytes. Returns the four before it.
 *
 * @param unhashed how many bits of the eight bytes there are not compared
 */
function remember(table: usize, at: usize, unhashed: u64): v128 {
  const bytes = load<u64>(at) << unhashed;
  const bucket = table + ((<usize>((bytes * 0x1e3779b97f4a7d) >> (64 - HASH))) << 4);
  const places = v128.load(bucket);
  v128.store(bucket, v128.shuffle<u32>(places, i32x4.splat(<i32>at), 4, 0, 1, 2));
  return places;
}

/**
 * A match as a number, length << 16 | the complement of its distance: the larger number is the longer match, or of
 * equal lengths the nearer one, which takes fewer bits.
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

  /** The longest match at four distances. */
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
    // Branch-free up to here, because the branches would be unpredictable.
    const one = max(Match.of(<u32>ctz(~same0), distance0), Match.of(<u32>ctz(~same1), distance1));
    const other = max(Match.of(<u32>ctz(~same2), distance2), Match.of(<u32>ctz(~same3), distance3));
    let match = max(one, other);
    if (Match.length(match) < STEP) return match;
    match = Match.longer(0, same0, distance0, at, most);
    match = Match.longer(match, same1, distance1, at, most);
    match = Match.longer(match, same2, distance2, at, most);
    return Match.longer(match, same3, distance3, at, most);
  }

  /** Which bytes of a step are equal at a distance; none if that lies before the start. */
  @inline
  static firstStep(distance: u32, at: usize, seen: u32): u32 {
    return select<u32>(sameBytes(at - distance, at), 0, distance <= seen);
  }

  /** The longer of a match and the one at a distance, which is extended only if its whole first step is equal. */
  @inline
  static longer(match: u32, same: u32, distance: u32, at: usize, most: u32): u32 {
    const length = Match.length(match);
    if (same !== ALL_SAME || length >= min(ENOUGH, most)) return match;
    // To be longer, it must be equal where the other match ends.
    const last = at + length - (STEP - 1);
    if (length > 0 && sameBytes(last, last - distance) !== ALL_SAME) return match;
    return max(match, Match.of(matchLength(at, at - distance, most), distance));
  }
}

/**
 * Finds matches for drawings, pixel by pixel. Repeated pixels there equal the pixel before, or match at the last
 * distance, in the row above, at the drift of the rows, or else at an address that began with the same two pixels. Takes
 * the longest match greedily, without looking for a better one a pixel later.
 *
 * @param bytes more than one row from the start of the memory
 * @param from the filter byte of the first row; what lies before it, from `bytes` on, may be matched
 * @param rowLength including the filter byte
 * @param table scratch space of TABLE_BYTES bytes
 * @returns the number of bytes that no match covers
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
  const unhashed: u64 = pixel === 1 ? 16 : 64 - 16 * pixel;
  const shortest = pixel === 1 ? SHORTEST_INDICES : pixel;
  clearCounts(counts);
  memory.fill(table, 0, TABLE_BYTES);
  const drift = findDrift(from, <u32>length, rowLength, pixel, unhashed, rowLength - pixel);
  let near = i32x4(pixel, rowLength, drift, pixel);
  const end = from + length;
  let literals = from;
  let nextRow = from + rowLength;
  let at = from;
  let misses: u32 = 0;
  let uncovered: u32 = 0;
  for (;;) {
    while (at >= nextRow) nextRow += rowLength;
    // Advance to a whole pixel; pixels are counted from the end of their row.
    const rest = <u32>(nextRow - at);
    at += pixel === 3 ? rest % 3 : rest & (pixel - 1);
    if (at === nextRow) continue;
    if (at + STEP > end) break;

    const seen = min<u32>(<u32>(at - bytes), WINDOW);
    const most = min<u32>(<u32>(end - at), LONGEST);
    const places = remember(table, at, unhashed);
    let match = Match.longest(near, at, seen, most);
    if (Match.length(match) < ENOUGH_NEARBY) {
      match = max(match, Match.longest(i32x4.sub(i32x4.splat(<i32>at), places), at, seen, most));
    }
    let best = Match.length(match);
    if (best < shortest) {
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
    // Of a match, only its last pixel is added to the table: the rest can be found at its source.
    const last = literals - pixel;
    if (last > at && last + 8 <= end) remember(table, last, unhashed);
    at = literals;
  }
  countLiterals(counts, literals, end - literals);
  token(tokens, <u32>(end - literals), 0);
  return uncovered + <u32>(end - literals);
}
