// Chooses the probabilities for a picture from its counts, and writes the frame header as decisions (RFC 6386, section
// 9).

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
  /** To be coded with `HEADER_PROBABILITIES`. */
  readonly decisions: readonly number[];
  /** The probabilities, by number, with which everything after the header is coded. */
  readonly probabilities: Uint8Array;
}

/** The probabilities of updating each level probability, and the even one. */
export const HEADER_PROBABILITIES = Uint8Array.of(...KEEP_PROBABILITIES, 128);

/** Bits of a new probability. */
const PROBABILITY_BITS = 8;

/**
 * @param counts counts of each decision
 * @param partitionBits log2 of the number of partitions of levels
 */
export function frameHeader(counts: Uint32Array, quantizer: Quantizer, partitionBits: number): FrameHeader {
  const decisions: number[] = [];
  const write = (value: number, bits: number) => {
    for (let bit = bits - 1; bit >= 0; bit--) decisions.push(2 * EVEN + ((value >> bit) & 1));
  };
  // Colour space, clamping type; no segments.
  write(0, 3);
  // Normal loop filter without sharpening, the same for all macroblocks.
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
  // Probabilities need not be saved for later frames.
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

/** The better probability of a level decision, if transmitting it costs less than it saves; else null. */
function betterProbability(counts: Uint32Array, number: number): number | null {
  const [no, yes] = [counts[2 * number] ?? 0, counts[2 * number + 1] ?? 0];
  if (no + yes === 0) return null;
  const [before, after] = [DEFAULT_PROBABILITIES[number] ?? 128, probabilityOf(counts, number)];
  const saved = no * (bitsOf(before, 0) - bitsOf(after, 0)) + yes * (bitsOf(before, 1) - bitsOf(after, 1));
  const keep = KEEP_PROBABILITIES[number] ?? 128;
  return saved > bitsOf(keep, 1) - bitsOf(keep, 0) + PROBABILITY_BITS ? after : null;
}

/** The share of "no" among all decisions, in 256ths. */
function probabilityOf(counts: Uint32Array, number: number): number {
  const [no, yes] = [counts[2 * number] ?? 0, counts[2 * number + 1] ?? 0];
  return Math.min(255, Math.max(1, Math.round((256 * no) / Math.max(1, no + yes))));
}
