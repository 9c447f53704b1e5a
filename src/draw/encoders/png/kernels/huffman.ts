// Builds a canonical prefix code of bounded length from symbol counts (RFC 1951, §3.2.2).
//
// An entry is `length | code << 8`, or 0 for a symbol without a code. Codes are stored with the first bit lowest, as a
// deflate stream has them, so that writing a symbol takes one look-up, one shift and one addition.

/** Size of the largest alphabet, and bits per symbol. */
const MOST_SYMBOLS: i32 = 286;
const SYMBOL_BITS: u32 = 9;
const SYMBOL: u32 = (1 << SYMBOL_BITS) - 1;

/** `count << SYMBOL_BITS | symbol` of symbols that have a code; two buffers for sorting. */
const KEYS = memory.data(4 * MOST_SYMBOLS);
const SORTED = memory.data(4 * MOST_SYMBOLS);
/** Where the keys of each digit are put. */
const PLACES = memory.data(4 * 256);
/** The Huffman tree, leaves first: weights in 32 bits, parents and depths in 16. */
const WEIGHTS = memory.data(8 * MOST_SYMBOLS);
const PARENTS = memory.data(4 * MOST_SYMBOLS);
const DEPTHS = memory.data(4 * MOST_SYMBOLS);
/** By length, 32 bits each: first the number of codes, then the next code. */
const BY_LENGTH = memory.data(4 * 16);

/**
 * Replaces counts by codes. At least two symbols get one.
 *
 * @param table u32 by symbol: counts below 2^23 before, entries afterwards
 * @param symbols 2 to 286
 * @param longest length of the longest code in bits, at most 15
 */
export function chooseCodes(table: usize, symbols: u32, longest: u32): void {
  const used = collectKeys(table, symbols);
  let key = sortKeys(used);
  countDepths(key, used, longest);
  balance(longest);

  memory.fill(table, 0, 4 * symbols);
  for (let length = longest; length > 0; length--) {
    // The rarest symbols get the longest codes.
    for (let count = load<u32>(ofLength(length)); count > 0; count--, key += 4) {
      store<u32>(table + 4 * (load<u32>(key) & SYMBOL), length);
    }
  }
  assignCodes(table, symbols, longest);
}

/** Collects the keys in symbol order. Returns their number. */
function collectKeys(counts: usize, symbols: u32): u32 {
  let end = KEYS;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = load<u32>(counts + 4 * symbol);
    if (count > 0) end = append(end, (count << SYMBOL_BITS) | symbol);
  }
  // Decoders differ on codes with one symbol or none, so there are always two.
  for (let symbol: u32 = 0; end < KEYS + 4 * 2; symbol++) {
    if (load<u32>(counts + 4 * symbol) === 0) end = append(end, symbol);
  }
  return <u32>(end - KEYS) >> 2;
}

function append(end: usize, key: u32): usize {
  store<u32>(end, key);
  return end + 4;
}

/**
 * Sorts keys by count (radix sort, eight bits at a time from the lowest). Stable, so equal counts stay in symbol order.
 *
 * @returns the address of the sorted keys
 */
function sortKeys(used: u32): usize {
  const bytes: usize = 4 * used;
  let all: u32 = 0;
  for (let i: usize = 0; i < bytes; i += 4) all |= load<u32>(KEYS + i);
  let from = KEYS;
  let to = SORTED;
  for (let shift = SYMBOL_BITS; shift < 32 && all >> shift !== 0; shift += 8) {
    // A short stream has small counts, and so a small largest digit.
    const digits = PLACES + 4 * min<usize>(256, (all >> shift) + 1);
    memory.fill(PLACES, 0, digits - PLACES);
    for (let i: usize = 0; i < bytes; i += 4) {
      const digit = PLACES + placeOf(load<u32>(from + i), shift);
      store<u32>(digit, load<u32>(digit) + 4);
    }
    let next: u32 = 0;
    for (let digit = PLACES; digit < digits; digit += 4) {
      const size = load<u32>(digit);
      store<u32>(digit, next);
      next += size;
    }
    for (let i: usize = 0; i < bytes; i += 4) {
      const key = load<u32>(from + i);
      const digit = PLACES + placeOf(key, shift);
      const place = load<u32>(digit);
      store<u32>(to + place, key);
      store<u32>(digit, place + 4);
    }
    const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

function placeOf(key: u32, shift: u32): usize {
  return 4 * ((key >> shift) & 255);
}

/** Counts the leaves of the Huffman tree by depth; deeper ones than `longest` count as `longest`. */
function countDepths(rising: usize, leaves: u32, longest: u32): void {
  for (let leaf: u32 = 0; leaf < leaves; leaf++) {
    store<u32>(WEIGHTS + 4 * leaf, load<u32>(rising + 4 * leaf) >> SYMBOL_BITS);
  }
  // Inner nodes follow in order of creation, which is also that of their weights.
  const nodes: u32 = 2 * leaves - 1;
  let leaf: u32 = 0;
  let inner = leaves;
  for (let made = leaves; made < nodes; made++) {
    let weight: u32 = 0;
    for (let child = 0; child < 2; child++) {
      const takesLeaf = leaf < leaves && (inner >= made || weightOf(leaf) <= weightOf(inner));
      const lightest = takesLeaf ? leaf++ : inner++;
      weight += weightOf(lightest);
      store<u16>(PARENTS + 2 * lightest, <u16>made);
    }
    store<u32>(WEIGHTS + 4 * made, weight);
  }

  memory.fill(BY_LENGTH, 0, 4 * 16);
  store<u16>(DEPTHS + 2 * (nodes - 1), 0);
  for (let node = <i32>nodes - 2; node >= 0; node--) {
    const parent: u32 = load<u16>(PARENTS + 2 * node);
    const depth = <u32>load<u16>(DEPTHS + 2 * parent) + 1;
    store<u16>(DEPTHS + 2 * node, <u16>depth);
    if (<u32>node < leaves) add(min(depth, longest), 1);
  }
}

function weightOf(node: u32): u32 {
  return load<u32>(WEIGHTS + 4 * node);
}

function ofLength(length: u32): usize {
  return BY_LENGTH + 4 * length;
}

function add(length: u32, codes: i32): void {
  store<u32>(ofLength(length), load<u32>(ofLength(length)) + codes);
}

/**
 * Limiting leaves to the longest length oversubscribes the code: shorter codes are lengthened until the Kraft sum is 1.
 */
function balance(longest: u32): void {
  let sum: u32 = 0;
  for (let length: u32 = 1; length <= longest; length++) sum += load<u32>(ofLength(length)) << (longest - length);
  for (; sum > 1 << longest; sum--) {
    let length = longest - 1;
    while (load<u32>(ofLength(length)) === 0) length--;
    // One leaf moves down a level, and one of the longest becomes its sibling.
    add(length, -1);
    add(length + 1, 2);
    add(longest, -1);
  }
}

/** Replaces lengths by entries; codes of one length increase in symbol order. */
function assignCodes(table: usize, symbols: u32, longest: u32): void {
  let code: u32 = 0;
  for (let length: u32 = 1; length <= longest; length++) {
    const count = load<u32>(ofLength(length));
    store<u32>(ofLength(length), code);
    code = (code + count) << 1;
  }
  const end = table + 4 * symbols;
  for (let entry = table; entry < end; entry += 4) {
    const length = load<u32>(entry);
    if (length === 0) continue;
    const next = load<u32>(ofLength(length));
    store<u32>(ofLength(length), next + 1);
    store<u32>(entry, length | (reversed(next, length) << 8));
  }
}

function reversed(code: u32, length: u32): u32 {
  code = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555);
  code = ((code & 0x3333) << 2) | ((code >> 2) & 0x3333);
  code = ((code & 0x0f0f) << 4) | ((code >> 4) & 0x0f0f);
  return <u32>bswap<u16>(<u16>code) >> (16 - length);
}
