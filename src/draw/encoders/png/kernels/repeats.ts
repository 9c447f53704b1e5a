// Converts any bytes to tokens: LZ77 with hash chains and lazy matching over the last 32 KiB, as in zlib.
//
// A hash of four bytes leads to the latest position that began with them, and a chain to the earlier ones. zlib hashes
// three bytes and tries up to 128 positions; on the short streams of Platen's PDFs that made files 0.5 % smaller and took
// twice as long. Long ones, such as the page of a table, repeat more: searched thoroughly, they are as small as zlib's.

import { matchLength } from './match-length';
import { clearCounts, countLiterals, countMatch, LONGEST, token, WINDOW } from './tokens';

const SHORTEST: u32 = 4;
/** A match of this length halves the positions that are tried for a longer one at the next byte. */
const GOOD: u32 = 5;
/** Positions of a chain that are tried. */
const TRIES: u32 = 4;
/** A match of length LAZY is taken at once, and one of length ENOUGH ends the search in a chain. */
const LAZY: u32 = 8;
const ENOUGH: u32 = 32;
/** The same of a thorough search. */
const MORE_TRIES: u32 = 32;
const LAZIER: u32 = 16;
const MORE_ENOUGH: u32 = 128;
/** The same of a full search, as zlib's level 7 has it: the structure of a PDF is a tenth smaller than by a thorough one. */
const FULL_GOOD: u32 = 16;
const FULL_TRIES: u32 = 256;
const FULL_LAZY: u32 = 32;
const FULL_ENOUGH: u32 = 258;

// biome-ignore lint/complexity/noStaticOnlyClass: only methods can be marked to be inlined
class Chains {
  /** Adds a position. Returns the previous one with the same hash, plus one, or 0. */
  @inline
  static enter(heads: usize, links: usize, bytes: usize, at: u32, shift: u32): u32 {
    const hash = (load<u32>(bytes + at) * 0x9e3779b1) >> shift;
    const head = heads + ((<usize>hash) << 2);
    const before = load<u32>(head);
    store<u32>(links + ((<usize>at) << 2), before);
    store<u32>(head, at + 1);
    return before;
  }
}

/** The longest match in a chain that is longer than `known`, or 0. */
function search(
  bytes: usize,
  links: usize,
  at: u32,
  from: u32,
  most: u32,
  known: u32,
  tries: u32,
  enough: u32,
  good: u32,
): u32 {
  const here = bytes + at;
  const oldest = at > WINDOW ? at - WINDOW : 0;
  let best = known;
  let found: u32 = 0;
  if (known >= good) tries >>= 1;
  // A longer match must have these two bytes where the current one ends.
  let last = load<u16>(here + best - 1);
  for (; from > oldest && tries > 0; tries--) {
    const place = from - 1;
    from = load<u32>(links + ((<usize>place) << 2));
    const there = bytes + place;
    if (load<u16>(there + best - 1) !== last) continue;
    const length = matchLength(here, there, most);
    if (length <= best) continue;
    best = length;
    found = (length << 16) | (at - place - 1);
    if (length >= enough || length === most) break;
    last = load<u16>(here + best - 1);
  }
  return found;
}

/**
 * @param bytes followed by at least sixteen more
 * @param length at least 1
 * @param shift 32 minus the bits of a hash
 * @param effort 0, or how much further it searches, for a stream that is worth it: 1 thoroughly, 2 fully
 * @param heads scratch space: a u32 per hash
 * @param links scratch space: a u32 per byte
 */
export function findRepeats(
  bytes: usize,
  length: u32,
  shift: u32,
  effort: u32,
  heads: usize,
  links: usize,
  tokens: usize,
  counts: usize,
): void {
  clearCounts(counts);
  memory.fill(heads, 0, (<usize>4) << (32 - shift));
  const tries = effort > 1 ? FULL_TRIES : effort > 0 ? MORE_TRIES : TRIES;
  const lazy = effort > 1 ? FULL_LAZY : effort > 0 ? LAZIER : LAZY;
  const enough = effort > 1 ? FULL_ENOUGH : effort > 0 ? MORE_ENOUGH : ENOUGH;
  const good = effort > 1 ? FULL_GOOD : GOOD;
  const end: u32 = length < SHORTEST ? 0 : length - SHORTEST + 1;
  let literals: u32 = 0;
  /** The match that begins one byte before `at`. */
  let pending: u32 = 0;
  let at: u32 = 0;
  while (at < end) {
    const before = Chains.enter(heads, links, bytes, at, shift);
    const known = pending >> 16;
    let match: u32 = 0;
    if (before !== 0 && known < lazy) {
      const most = min(length - at, LONGEST);
      match = search(bytes, links, at, before, most, max(known, SHORTEST - 1), tries, enough, good);
    }
    if (known === 0 || match !== 0) {
      pending = match;
      at++;
      continue;
    }
    const start = at - 1;
    const distance = (pending & 0xffff) + 1;
    countLiterals(counts, bytes + literals, start - literals);
    countMatch(counts, known, distance);
    tokens = token(tokens, start - literals, known | (distance << 9));
    literals = start + known;
    for (at++; at < literals; at++) if (at < end) Chains.enter(heads, links, bytes, at, shift);
    pending = 0;
  }
  if (pending !== 0) {
    const start = at - 1;
    const distance = (pending & 0xffff) + 1;
    countLiterals(counts, bytes + literals, start - literals);
    countMatch(counts, pending >> 16, distance);
    tokens = token(tokens, start - literals, (pending >> 16) | (distance << 9));
    literals = start + (pending >> 16);
  }
  countLiterals(counts, bytes + literals, length - literals);
  token(tokens, length - literals, 0);
}
