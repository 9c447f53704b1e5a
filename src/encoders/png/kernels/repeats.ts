// Any bytes in, tokens out: LZ77 with hash chains and lazy matching over the last 32 KiB, as in zlib.
//
// A hash of four bytes leads to the latest place that began with them, a chain from there to those before it. zlib hashes
// three and tries up to 128 places; on the streams of our PDFs that made files 0.5 % smaller and took twice as long.

import { matchLength } from './matches';
import { clearCounts, countLiterals, countMatch, LONGEST, token, WINDOW } from './tokens';

const SHORTEST: u32 = 4;
/** Places of a chain that are tried. */
const TRIES: u32 = 4;
/** Of these, where the match a byte before is as long as `GOOD`. */
const FEW_TRIES: u32 = 2;
const GOOD: u32 = 5;
/** A match as long as this is taken at once, and one found in a chain ends the search. */
const LAZY: u32 = 8;
const ENOUGH: u32 = 32;

// biome-ignore lint/complexity/noStaticOnlyClass: only methods can be marked to be inlined
class Chains {
  /** Enters a place. Returns the one before it with the same hash, plus one, or 0. */
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

/** The longest match of those in a chain that are longer than `known`. */
function search(bytes: usize, links: usize, at: u32, from: u32, most: u32, known: u32): u32 {
  const here = bytes + at;
  const oldest = at > WINDOW ? at - WINDOW : 0;
  let best = known;
  let found: u32 = 0;
  let tries = known >= GOOD ? FEW_TRIES : TRIES;
  // Two bytes that a longer match must have where this one ends.
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
    if (length >= ENOUGH || length === most) break;
    last = load<u16>(here + best - 1);
  }
  return found;
}

/**
 * @param bytes with at least sixteen more behind them
 * @param length at least 1
 * @param shift 32 less the bits of a hash
 * @param heads room for a u32 for each hash
 * @param links room for a u32 for each byte
 */
export function findRepeats(
  bytes: usize,
  length: u32,
  shift: u32,
  heads: usize,
  links: usize,
  tokens: usize,
  counts: usize,
): void {
  clearCounts(counts);
  memory.fill(heads, 0, (<usize>4) << (32 - shift));
  const end: u32 = length < SHORTEST ? 0 : length - SHORTEST + 1;
  let literals: u32 = 0;
  /** The match that begins a byte before `at`. */
  let pending: u32 = 0;
  let at: u32 = 0;
  while (at < end) {
    const before = Chains.enter(heads, links, bytes, at, shift);
    const known = pending >> 16;
    let match: u32 = 0;
    if (before !== 0 && known < LAZY) {
      match = search(bytes, links, at, before, min(length - at, LONGEST), max(known, SHORTEST - 1));
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
