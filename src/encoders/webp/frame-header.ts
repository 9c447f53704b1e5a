// What was counted in a picture in, the probabilities that suit it and the frame's header as decisions out (RFC 6386,
// section 9).

import { bitsOf } from './kernels.ts';
import type { Quantizer } from './quantizer.ts';
import {
  BLOCK_MODE_PROBABILITIES,
  DEFAULT_PROBABILITIES,
  EVEN,
  FIXED_PROBABILITIES,
  IS_EMPTY,
  KEEP_PROBABILITIES,
  LEVEL_PROBABILITIES,
} from './vp8-tables.ts';

export interface FrameHeader {
  /** To be coded by `HEADER_PROBABILITIES`. */
  readonly decisions: readonly number[];
  /** By which all behind it is coded, by their numbers. */
  readonly probabilities: Uint8Array;
}

/** Those of changing each probability of levels, and the even one. */
export const HEADER_PROBABILITIES = Uint8Array.of(...KEEP_PROBABILITIES, 128);

/** Bits that a new probability takes. */
const PROBABILITY_BITS = 8;

/**
 * @param counts how often each decision was taken
 * @param partitionBits the logarithm to 2 of how many partitions of levels there are
 */
export function frameHeader(counts: Uint32Array, quantizer: Quantizer, partitionBits: number): FrameHeader {
  const decisions: number[] = [];
  const write = (value: number, bits: number) => {
    for (let bit = bits - 1; bit >= 0; bit--) decisions.push(2 * EVEN + ((value >> bit) & 1));
  };
  // A colour space, clamped; no segments.
  write(0, 3);
  // The normal loop filter, not sharpened, the same for all macroblocks.
  write(0, 1);
  write(quantizer.filterLevel, 6);
  write(0, 4);
  write(partitionBits, 2);
  write(quantizer.index, 7);
  const { y2Dc, chromaDc, chromaAc } = quantizer.offsets;
  for (const offset of [0, y2Dc, 0, chromaDc, chromaAc]) {
    write(offset === 0 ? 0 : 1, 1);
    if (offset !== 0) write(2 * Math.abs(offset) + (offset < 0 ? 1 : 0), 5);
  }
  // No later frame begins with these probabilities.
  write(0, 1);
  const levels = Uint8Array.from(DEFAULT_PROBABILITIES);
  for (let number = 0; number < LEVEL_PROBABILITIES; number++) {
    const better = betterProbability(counts, number);
    decisions.push(2 * number + (better === null ? 0 : 1));
    if (better === null) continue;
    levels[number] = better;
    write(better, PROBABILITY_BITS);
  }
  const isEmpty = probabilityOf(counts, IS_EMPTY);
  write(1, 1);
  write(isEmpty, PROBABILITY_BITS);
  return {
    decisions,
    probabilities: Uint8Array.of(...levels, ...FIXED_PROBABILITIES, isEmpty, ...BLOCK_MODE_PROBABILITIES),
  };
}

/** The probability of a level's decision, where saying it costs less than it saves. */
function betterProbability(counts: Uint32Array, number: number): number | null {
  const [no, yes] = [counts[2 * number] ?? 0, counts[2 * number + 1] ?? 0];
  if (no + yes === 0) return null;
  const [before, after] = [DEFAULT_PROBABILITIES[number] ?? 128, probabilityOf(counts, number)];
  const saved = no * (bitsOf(before, 0) - bitsOf(after, 0)) + yes * (bitsOf(before, 1) - bitsOf(after, 1));
  const keep = KEEP_PROBABILITIES[number] ?? 128;
  return saved > bitsOf(keep, 1) - bitsOf(keep, 0) + PROBABILITY_BITS ? after : null;
}

/** The part of no among all, in 256ths. */
function probabilityOf(counts: Uint32Array, number: number): number {
  const [no, yes] = [counts[2 * number] ?? 0, counts[2 * number + 1] ?? 0];
  return Math.min(255, Math.max(1, Math.round((256 * no) / Math.max(1, no + yes))));
}
