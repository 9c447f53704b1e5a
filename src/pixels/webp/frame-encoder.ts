// An opaque raster in, a VP8 key frame out (RFC 6386).
//
// Rows of macroblocks become decisions, which are kept until all are counted; then the probabilities that suit them are
// known, and they are coded. A picture with more of them than memory is given goes by the first ones' probabilities.

import type { Raster } from '../raster.ts';
import { frameHeader, HEADER_PROBABILITIES } from './frame-header.ts';
import {
  borrowKernel,
  CODER_BYTES,
  countsOf,
  ensureMemory,
  giveBack,
  MOST_LEVEL_BYTES,
  MOST_MODE_BYTES,
  type WebpKernel,
  writeProbabilities,
  writeTables,
} from './kernel.ts';
import { Partition } from './partition.ts';
import { type Quantizer, quantizerOf } from './quantizer.ts';

/** px a side of a macroblock. */
const MACROBLOCK = 16;
/** Bytes of decisions that are kept: those of a photo of some ten million pixels. */
const MOST_KEPT = 24 * 1024 * 1024;
/** Pixels from which one partition of levels might be longer than its length can say. */
const LARGE = 4_000_000;
/** The logarithm to 2 of how many partitions of levels a large picture has. */
const LARGE_PARTITION_BITS = 3;
/** What lengths can say: of the first partition, which holds the modes, and of the others. */
const MOST_FIRST_BYTES = 2 ** 19 - 1;
const MOST_BYTES = 2 ** 24 - 1;
/** Decisions about modes that fit into the first partition, at less than six bits each; and how many of one mode take. */
const MOST_MODE_DECISIONS = 3_000_000;
const DECISIONS_OF_ONE_MODE = 7;

/** A row's decisions: where those about levels begin, where they end and those about modes begin, where these end. */
type KeptRow = readonly [levels: number, modes: number, end: number];

/**
 * Encodes a picture, a row of macroblocks at a time.
 *
 * @param quality 0 to 100, as libwebp counts it
 * @returns null when a pixel is not opaque, or the picture is more than a frame can hold
 */
export function* encodeFrame(raster: Raster, quality: number): Generator<undefined, Uint8Array | null> {
  const kernel = borrowKernel();
  const frame = new FrameEncoder(kernel, raster, quality);
  for (let y = 0; y < frame.rows; y++) {
    if (frame.isFull) yield* frame.codeKept();
    if (!frame.decide(y)) return null;
    yield;
  }
  yield* frame.codeKept();
  const bytes = frame.assemble();
  giveBack(kernel);
  return bytes;
}

class FrameEncoder {
  /** Rows of macroblocks. */
  readonly rows: number;
  readonly #across: number;
  readonly #kernel: WebpKernel;
  readonly #raster: Raster;
  readonly #quantizer: Quantizer;
  readonly #partitionBits: number;
  /** The modes', then those of levels. */
  readonly #partitions: readonly Partition[];

  // Where things lie in the kernel's memory: the coders of partitions, rows of pixels, modes, and what is kept.
  readonly #coders: number;
  readonly #rgba: number;
  readonly #modes: number;
  readonly #kept: number;
  #end: number;
  #keptRows: KeptRow[] = [];
  /** Rows that are coded already. */
  #coded = 0;
  #modeDecisions = 0;

  constructor(kernel: WebpKernel, raster: Raster, quality: number) {
    const { width, height } = raster;
    this.#kernel = kernel;
    this.#raster = raster;
    this.#quantizer = quantizerOf(quality);
    this.#across = Math.ceil(width / MACROBLOCK);
    this.rows = Math.ceil(height / MACROBLOCK);
    this.#partitionBits = width * height < LARGE ? 0 : LARGE_PARTITION_BITS;
    this.#partitions = Array.from({ length: 1 + 2 ** this.#partitionBits }, () => new Partition());
    // What it needs of its own for each macroblock across is less than these.
    ensureMemory(kernel, 2 * 65_536 + 64 * this.#across);
    this.#coders = kernel.openFrame(this.#across);
    this.#rgba = this.#coders + CODER_BYTES * this.#partitions.length;
    this.#modes = this.#rgba + 4 * width * MACROBLOCK;
    this.#kept = this.#modes + MOST_MODE_BYTES * this.#across;
    this.#end = this.#kept;
    writeTables(kernel, this.#quantizer);
    for (const index of this.#partitions.keys()) kernel.openCoder(this.#coderOf(index));
  }

  #coderOf(index: number): number {
    return this.#coders + CODER_BYTES * index;
  }

  get isFull(): boolean {
    return this.#end - this.#kept > MOST_KEPT;
  }

  /** Decides a row and keeps it. Returns false when a pixel is not opaque. */
  decide(y: number): boolean {
    const { width, height, pixels } = this.#raster;
    ensureMemory(this.#kernel, this.#end + (MOST_LEVEL_BYTES + MOST_MODE_BYTES) * this.#across);
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    const from = MACROBLOCK * y;
    const rows = Math.min(MACROBLOCK, height - from);
    memory.set(pixels.subarray(4 * width * from, 4 * width * (from + rows)), this.#rgba);
    const left = DECISIONS_OF_ONE_MODE * this.#across * (this.rows - y);
    const mayHaveBlockModes = this.#modeDecisions + left < MOST_MODE_DECISIONS;
    const levels = this.#end;
    const modes = this.#kernel.decideRow(y, this.#rgba, width, rows, mayHaveBlockModes, levels, this.#modes);
    if (modes === 0) return false;
    const endOfModes = this.#kernel.endOfModes();
    memory.copyWithin(modes, this.#modes, endOfModes);
    this.#end = modes + endOfModes - this.#modes;
    this.#modeDecisions += (this.#end - modes) / 2;
    this.#keptRows.push([levels, modes, this.#end]);
    return true;
  }

  /** Codes what is kept, and forgets it. */
  *codeKept(): Generator<undefined, void> {
    if (this.#coded === 0) this.#codeHeader();
    for (const [levels, modes, end] of this.#keptRows) {
      this.#code(0, modes, end);
      this.#code(1 + (this.#coded % (this.#partitions.length - 1)), levels, modes);
      this.#coded += 1;
      yield;
    }
    this.#keptRows = [];
    this.#end = this.#kept;
  }

  #codeHeader(): void {
    const header = frameHeader(countsOf(this.#kernel), this.#quantizer, this.#partitionBits);
    const end = this.#end + 2 * header.decisions.length;
    ensureMemory(this.#kernel, end);
    new Uint16Array(this.#kernel.memory.buffer).set(header.decisions, this.#end / 2);
    writeProbabilities(this.#kernel, HEADER_PROBABILITIES);
    const from = this.#end;
    this.#end = end;
    this.#code(0, from, end);
    writeProbabilities(this.#kernel, header.probabilities);
  }

  #code(partition: number, from: number, to: number): void {
    this.#write(partition, (to - from) / 2, (coder, out) => this.#kernel.code(coder, from, to, out));
  }

  /** Has a partition's next bytes written behind all that is kept: at most one a decision, and those that were held. */
  #write(partition: number, decisions: number, write: (coder: number, out: number) => number): void {
    const out = this.#end + 1;
    ensureMemory(this.#kernel, out + decisions + 16);
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    memory[out - 1] = 0;
    const end = write(this.#coderOf(partition), out);
    this.#partitions[partition]?.append(memory.subarray(out, end), memory[out - 1] === 1);
  }

  /** Returns null when a partition is longer than a frame can say. */
  assemble(): Uint8Array | null {
    for (const index of this.#partitions.keys()) {
      this.#write(index, 0, (coder, out) => this.#kernel.closeCoder(coder, out));
    }
    const [first, ...others] = this.#partitions.map(({ bytes }) => bytes);
    if (!first || first.length > MOST_FIRST_BYTES || others.some(({ length }) => length > MOST_BYTES)) return null;
    const { width, height } = this.#raster;
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
