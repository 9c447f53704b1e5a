// Converts levels to the decisions that code them (RFC 6386, section 13): a probability's number and the outcome, 16
// bits each.
//
// The probabilities themselves are known only after all of a picture's decisions have been counted.

import { COUNTS, MODE_DECISIONS } from './layout';

/** Numbers of the fixed probabilities; those of levels are below. */
const EVEN: u32 = 4 * 8 * 3 * 11;
/** Consecutive numbers for the extra bits of sizes from 5, 7, 11, 19, 35 and 67 on. */
const BITS_1: u32 = EVEN + 1;
const BITS_2: u32 = BITS_1 + 1;
const BITS_3: u32 = BITS_2 + 2;
const BITS_4: u32 = BITS_3 + 3;
const BITS_5: u32 = BITS_4 + 4;
const BITS_6: u32 = BITS_5 + 5;
export const HAS_ONE_MODE: u32 = BITS_6 + 11;
const MODE_TREE: u32 = HAS_ONE_MODE + 1;
const CHROMA_TREE: u32 = MODE_TREE + 3;
export const IS_EMPTY: u32 = CHROMA_TREE + 3;
const BLOCK_MODE_TREES: u32 = IS_EMPTY + 1;

/** Offset of each position's band among the numbers, plus one for the position after the end. */
const BANDS = memory.data<u16>([0, 33, 66, 99, 198, 132, 165, 198, 198, 198, 198, 198, 198, 198, 198, 231, 0]);
const OF_KIND: u32 = 8 * 33;
const OF_CONTEXT: u32 = 11;

/** Kinds of blocks: luma without DC, the DC values of luma (Y2), chroma, luma with DC. */
export const REST: u32 = 0;
export const Y2: u32 = 1;
export const CHROMA: u32 = 2;
export const WHOLE: u32 = 3;

export function decide(at: usize, number: u32, is: u32): usize {
  const decision = 2 * number + is;
  store<u16>(at, <u16>decision);
  const count = COUNTS + 4 * <usize>decision;
  store<u32>(count, load<u32>(count) + 1);
  return at + 2;
}

/** A value's bits from the highest on, each with its own number. */
function decideBits(at: usize, number: u32, value: u32, size: i32): usize {
  for (let bit = size - 1; bit >= 0; bit--) at = decide(at, number++, (value >> bit) & 1);
  return at;
}

/** A size of 2 or more. */
function decideSize(at: usize, base: u32, size: u32): usize {
  if (size < 5) {
    at = decide(at, base + 3, 0);
    if (size === 2) return decide(at, base + 4, 0);
    return decide(decide(at, base + 4, 1), base + 5, size - 3);
  }
  at = decide(at, base + 3, 1);
  if (size < 11) {
    at = decide(at, base + 6, 0);
    if (size < 7) return decideBits(decide(at, base + 7, 0), BITS_1, size - 5, 1);
    return decideBits(decide(at, base + 7, 1), BITS_2, size - 7, 2);
  }
  at = decide(at, base + 6, 1);
  if (size < 35) {
    at = decide(at, base + 8, 0);
    if (size < 19) return decideBits(decide(at, base + 9, 0), BITS_3, size - 11, 3);
    return decideBits(decide(at, base + 9, 1), BITS_4, size - 19, 4);
  }
  at = decide(at, base + 8, 1);
  if (size < 67) return decideBits(decide(at, base + 10, 0), BITS_5, size - 35, 5);
  return decideBits(decide(at, base + 10, 1), BITS_6, size - 67, 11);
}

/**
 * Writes the decisions of one block.
 *
 * @param set which of its levels are not 0
 * @param context how many of the blocks above and to the left have levels
 * @returns the address after them
 */
export function decideLevels(at: usize, levels: usize, set: u32, kind: u32, context: u32): usize {
  const numbers = OF_KIND * kind;
  let position: usize = kind === REST ? 1 : 0;
  let base = numbers + load<u16>(BANDS + 2 * position) + OF_CONTEXT * context;
  set >>= <u32>position;
  while (set !== 0) {
    at = decide(at, base, 1);
    while ((set & 1) === 0) {
      at = decide(at, base + 1, 0);
      set >>= 1;
      position += 1;
      base = numbers + load<u16>(BANDS + 2 * position);
    }
    at = decide(at, base + 1, 1);
    const level = <i32>load<i16>(levels + 2 * position);
    const size = <u32>abs(level);
    let next = OF_CONTEXT;
    if (size === 1) at = decide(at, base + 2, 0);
    else {
      at = decideSize(decide(at, base + 2, 1), base, size);
      next = 2 * OF_CONTEXT;
    }
    at = decide(at, EVEN, level < 0 ? 1 : 0);
    set >>= 1;
    position += 1;
    base = numbers + load<u16>(BANDS + 2 * position) + next;
  }
  // The end of the block, which is implied after the last position.
  return position < 16 ? decide(at, base, 0) : at;
}

/** A macroblock's own mode. */
export function decideMode(at: usize, mode: u32): usize {
  // The first decision separates DC and vertical from horizontal and true motion.
  const isSecond = mode === 1 || mode === 3 ? 1 : 0;
  at = decide(at, MODE_TREE, isSecond);
  if (isSecond) return decide(at, MODE_TREE + 2, mode === 1 ? 1 : 0);
  return decide(at, MODE_TREE + 1, mode === 2 ? 1 : 0);
}

export function decideChromaMode(at: usize, mode: u32): usize {
  at = decide(at, CHROMA_TREE, mode === 0 ? 0 : 1);
  if (mode === 0) return at;
  at = decide(at, CHROMA_TREE + 1, mode === 2 ? 0 : 1);
  if (mode === 2) return at;
  return decide(at, CHROMA_TREE + 2, mode === 1 ? 1 : 0);
}

export function decideBlockMode(at: usize, above: u32, left: u32, mode: u32): usize {
  const numbers = BLOCK_MODE_TREES + 9 * (10 * above + left);
  let decisions = MODE_DECISIONS + 20 * <usize>mode;
  for (let more = <i32>load<u16>(decisions); more > 0; more--) {
    decisions += 2;
    const decision = <u32>load<u16>(decisions);
    at = decide(at, numbers + (decision >> 1), decision & 1);
  }
  return at;
}
