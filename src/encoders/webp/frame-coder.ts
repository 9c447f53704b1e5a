// A picture's decisions in, a VP8 key frame out (RFC 6386).
//
// The first rows that come set the probabilities by which all are coded: of all but the largest pictures, these are all.

import type { Size } from '#core/geometry.ts';
import { frameHeader, HEADER_PROBABILITIES } from './frame-header.ts';
import {
  borrowKernel,
  CODER_BYTES,
  ensureMemory,
  freeFrom,
  giveBack,
  type WebpKernel,
  writeProbabilities,
} from './kernels.ts';
import { Partition } from './partition.ts';
import type { Quantizer } from './quantizer.ts';
import type { DecidedRow } from './row-decider.ts';

/** Pixels from which one partition of levels might be longer than its length can say. */
const LARGE = 4_000_000;
/** The logarithm to 2 of how many partitions of levels a large picture has. */
const LARGE_PARTITION_BITS = 3;
/** What lengths can say: of the first partition, which holds the modes, and of the others. */
const MOST_FIRST_BYTES = 2 ** 19 - 1;
const MOST_BYTES = 2 ** 24 - 1;
/** Bytes of a coder's that may be held, at most. */
const HELD_BYTES = 16;

export class FrameCoder {
  readonly #kernel: WebpKernel = borrowKernel();
  readonly #width: number;
  readonly #height: number;
  readonly #quantizer: Quantizer;
  readonly #partitionBits: number;
  /** The modes', then those of levels. */
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
   * Codes the next rows, one at each step.
   *
   * @param counts how often each decision was taken in all rows so far; those of the first call count
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

  /** No decision comes to more than a byte. */
  #code(partition: number, decisions: Uint8Array): void {
    const from = this.#coderOf(this.#partitions.length);
    const to = from + decisions.length;
    ensureMemory(this.#kernel, to + decisions.length / 2 + HELD_BYTES);
    new Uint8Array(this.#kernel.memory.buffer).set(decisions, from);
    this.#write(partition, to + 1, (coder, out) => this.#kernel.code(coder, from, to, out));
  }

  /** Has a partition's next bytes written, behind one that takes a carry. */
  #write(partition: number, out: number, write: (coder: number, out: number) => number): void {
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    memory[out - 1] = 0;
    const end = write(this.#coderOf(partition), out);
    this.#partitions[partition]?.append(memory.subarray(out, end), memory[out - 1] === 1);
  }

  /** The frame, when all rows are coded; null when a partition is longer than a frame can say. */
  finish(): Uint8Array | null {
    for (const index of this.#partitions.keys()) {
      const out = this.#coderOf(this.#partitions.length) + 1;
      this.#write(index, out, (coder, at) => this.#kernel.closeCoder(coder, at));
    }
    giveBack(this.#kernel);
    const [first, ...others] = this.#partitions.map(({ bytes }) => bytes);
    if (!first || first.length > MOST_FIRST_BYTES || others.some(({ length }) => length > MOST_BYTES)) return null;
    const [width, height] = [this.#width, this.#height];
    // A key frame that is shown, by the specification's first version; the start code; the sides, not to be scaled.
    const tag = (first.length << 5) | (1 << 4);
    return Buffer.concat([
      Uint8Array.of(...threeBytes(tag), 0x9d, 0x01, 0x2a, width & 255, width >> 8, height & 255, height >> 8),
      first,
      ...others.slice(0, -1).map(({ length }) => Uint8Array.from(threeBytes(length))),
      ...others,
    ]);
  }
}

const threeBytes = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255];
