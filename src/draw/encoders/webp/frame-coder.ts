// Codes a picture's decisions as a VP8 key frame (RFC 6386).
//
// The first rows passed determine the probabilities by which all rows are coded; for all but the largest pictures,
// these are all rows.

import type { Size } from '#core/geometry.ts';
import { joinBytes } from '../join-bytes.ts';
import {
  bitsOf,
  borrowKernel,
  CODER_BYTES,
  ensureMemory,
  freeFrom,
  giveBack,
  type WebpKernel,
  writeProbabilities,
} from './kernels.ts';
import type { Quantizer } from './quantizer.ts';
import type { DecidedRow } from './row-decider.ts';
import {
  BLOCK_MODE_PROBABILITIES,
  DEFAULT_PROBABILITIES,
  EVEN,
  FIXED_PROBABILITIES,
  IS_EMPTY,
  KEEP_PROBABILITIES,
  LEVEL_PROBABILITIES,
} from './vp8-tables.ts';

/** From this many pixels on, the length of a single partition of levels might not fit its field. */
const LARGE = 4_000_000;
/** Log2 of the number of partitions of levels of a large picture. */
const LARGE_PARTITION_BITS = 3;
/** Largest lengths that fit their fields: of the first partition, which holds the modes, and of the others. */
const MOST_FIRST_BYTES = 2 ** 19 - 1;
const MOST_BYTES = 2 ** 24 - 1;
/** Most bytes that a coder may still hold back. */
const HELD_BYTES = 16;

export class FrameCoder {
  readonly #kernel: WebpKernel = borrowKernel();
  readonly #width: number;
  readonly #height: number;
  readonly #quantizer: Quantizer;
  readonly #partitionBits: number;
  /** The partition of modes, then those of levels. */
  readonly #partitions: readonly Partition[];
  #hasHeader = false;

  constructor({ width, height }: Size, quantizer: Quantizer) {
    this.#width = width;
    this.#height = height;
    this.#quantizer = quantizer;
    this.#partitionBits = width * height < LARGE ? 0 : LARGE_PARTITION_BITS;
    this.#partitions = Array.from({ length: 1 + 2 ** this.#partitionBits }, () => new Partition());
    ensureMemory(this.#kernel, this.#coderOf(this.#partitions.length));
    for (const index of this.#partitions.keys()) this.#kernel.openCoder(this.#coderOf(index));
  }

  #coderOf(index: number): number {
    return freeFrom(0) + CODER_BYTES * index;
  }

  /**
   * Codes the next rows, one per step.
   *
   * @param counts counts of each decision in all rows so far; only those of the first call are used
   */
  *code(rows: readonly DecidedRow[], counts: Uint32Array): Generator<undefined, void> {
    if (!this.#hasHeader) this.#codeHeader(counts);
    for (const { y, decisions, modes } of rows) {
      this.#code(0, decisions.subarray(modes));
      this.#code(1 + (y % (this.#partitions.length - 1)), decisions.subarray(0, modes));
      yield;
    }
  }

  #codeHeader(counts: Uint32Array): void {
    const header = frameHeader(counts, this.#quantizer, this.#partitionBits);
    writeProbabilities(this.#kernel, HEADER_PROBABILITIES);
    this.#code(0, new Uint8Array(Uint16Array.from(header.decisions).buffer));
    writeProbabilities(this.#kernel, header.probabilities);
    this.#hasHeader = true;
  }

  /** Codes decisions; each takes at most one byte. */
  #code(partition: number, decisions: Uint8Array): void {
    const from = this.#coderOf(this.#partitions.length);
    const to = from + decisions.length;
    ensureMemory(this.#kernel, to + decisions.length / 2 + HELD_BYTES);
    new Uint8Array(this.#kernel.memory.buffer).set(decisions, from);
    this.#write(partition, to + 1, (coder, out) => this.#kernel.code(coder, from, to, out));
  }

  /** Writes a partition's next bytes, after a byte that receives a carry. */
  #write(partition: number, out: number, write: (coder: number, out: number) => number): void {
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    memory[out - 1] = 0;
    const end = write(this.#coderOf(partition), out);
    this.#partitions[partition]?.append(memory.subarray(out, end), memory[out - 1] === 1);
  }

  /** Returns the frame after all rows were coded; null when the length of a partition does not fit its field. */
  finish(): Uint8Array | null {
    for (const index of this.#partitions.keys()) {
      const out = this.#coderOf(this.#partitions.length) + 1;
      this.#write(index, out, (coder, at) => this.#kernel.closeCoder(coder, at));
    }
    giveBack(this.#kernel);
    const [first, ...others] = this.#partitions.map(({ bytes }) => bytes);
    if (!first || first.length > MOST_FIRST_BYTES || others.some(({ length }) => length > MOST_BYTES)) return null;
    const [width, height] = [this.#width, this.#height];
    // A shown key frame of version 0; the start code; the sides, without scaling.
    const tag = (first.length << 5) | (1 << 4);
    return joinBytes([
      Uint8Array.of(...threeBytes(tag), 0x9d, 0x01, 0x2a, width & 255, width >> 8, height & 255, height >> 8),
      first,
      ...others.slice(0, -1).map(({ length }) => Uint8Array.from(threeBytes(length))),
      ...others,
    ]);
  }
}

const threeBytes = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255];

// The bytes of one partition of a frame, appended piece by piece.

class Partition {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param carried whether 1 is to be added to the existing bytes, taken as one number */
  append(bytes: Uint8Array, carried: boolean): void {
    if (carried) this.#carry();
    const needed = this.#length + bytes.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      larger.set(this.bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = needed;
  }

  #carry(): void {
    let at = this.#length - 1;
    while (this.#bytes[at] === 255) this.#bytes[at--] = 0;
    this.#bytes[at] = (this.#bytes[at] ?? 0) + 1;
  }
}

// Chooses the probabilities for a picture from its counts, and writes the frame header as decisions (RFC 6386, section
// 9).

interface FrameHeader {
  /** To be coded with `HEADER_PROBABILITIES`. */
  readonly decisions: readonly number[];
  /** The probabilities, by number, with which everything after the header is coded. */
  readonly probabilities: Uint8Array;
}

/** The probabilities of updating each level probability, and the even one. */
const HEADER_PROBABILITIES = Uint8Array.of(...KEEP_PROBABILITIES, 128);

/** Bits of a new probability. */
const PROBABILITY_BITS = 8;

/**
 * @param counts counts of each decision
 * @param partitionBits log2 of the number of partitions of levels
 */
function frameHeader(counts: Uint32Array, quantizer: Quantizer, partitionBits: number): FrameHeader {
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
