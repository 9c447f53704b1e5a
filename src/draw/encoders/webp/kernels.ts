// The types of the WebP encoder's WebAssembly kernels, and the tables that they use. kernels/layout.ts defines the
// addresses.

import { loadWasm } from '#draw/platform/load-wasm.ts';
import type { Quantizer, Steps } from './quantizer.ts';
import {
  BLOCK_MODE_DECISIONS,
  BLOCK_MODE_PROBABILITIES,
  CHROMA_MODE_BITS,
  HAS_BLOCK_MODES_BITS,
  LUMA_MODE_BITS,
} from './vp8-tables.ts';

/** A decision is 16 bits: twice the number of its probability, plus 1 for yes. */
interface KernelFunctions {
  /** Starts a row of macroblocks; `levels` and `modes` are where their decisions are written. */
  openRow(
    y: number,
    rgba: number,
    width: number,
    rows: number,
    mayHaveBlockModes: boolean,
    levels: number,
    modes: number,
  ): void;
  /** Decides the row's next macroblocks, up to a column. Returns 0 when a pixel is not opaque. */
  decideUntil(end: number): number;
  endOfLevels(): number;
  endOfModes(): number;
  openCoder(coder: number): void;
  /** Returns the end of the bytes; a carry into earlier ones adds 1 to the byte before `out`. */
  code(coder: number, from: number, to: number, out: number): number;
  /** Writes the last bytes; returns their end, as `code` does. */
  closeCoder(coder: number, out: number): number;
}

export interface WebpKernel extends KernelFunctions {
  readonly memory: WebAssembly.Memory;
}

/**
 * Address of the edges of the row above, 64 bytes for each macroblock, and the first address after them, where free
 * memory begins.
 */
export const ROW_ABOVE = 2 * 65_536 - 32_768;
export const ABOVE_OF_ONE = 64;
export const freeFrom = (across: number) => ROW_ABOVE + ABOVE_OF_ONE * across;
/** Bytes of a coder's state. */
export const CODER_BYTES = 16;
/** Most bytes of decisions of a macroblock: 25 blocks of 16 levels, and its modes. */
export const MOST_LEVEL_BYTES = 25 * 16 * 19 * 2;
export const MOST_MODE_BYTES = 2 * (2 + 16 * 9 + 3);

const PAGE = 65_536;
const BASE = 65_536;
const PROBABILITIES = BASE;
const STEPS = BASE + 2048;
const STEPS_OF_ONE = 96;
const MODE_COSTS = BASE + 2560;
const COSTS_OF_ONE = 24;
const MACROBLOCK_COSTS = MODE_COSTS + 100 * COSTS_OF_ONE;
const MODE_DECISIONS = BASE + 5120;
const DECISIONS_OF_ONE = 20;
const COUNTS = BASE + 8192;
/** Number of counters of decisions. */
export const COUNTED = 4096;

/** The weight of a bit against distance, in quantizer steps of luma. */
const BIT_WEIGHT = 0.25;
/**
 * The fraction of a step from which a level is rounded up, for DC and for AC values; a lower one costs more bits than
 * it improves the picture.
 */
const ROUNDED_UP = { luma: [0.52, 0.56], y2: [0.52, 0.52], chroma: [0.54, 0.54] } as const;
/** The scale that the transforms leave to be divided out. */
const SCALE = { luma: 8, y2: 2, chroma: 8 } as const;

const module = loadWasm('draw/encoders/webp/kernels.wasm');
/**
 * Bits of each block mode, by the modes above and to the left; the last two are repeated, because they are read that
 * way.
 */
const BLOCK_MODE_BITS = blockModeBits();

/** Idle kernels: page-faulting a new one's memory in costs more than writing it. */
const idle: WebpKernel[] = [];
const MOST_IDLE = 4;
/** Largest memory of an idle kernel, bytes; larger ones are dropped. */
const LARGEST_IDLE = 8 * 1024 * 1024;

export function borrowKernel(): WebpKernel {
  return idle.pop() ?? (new WebAssembly.Instance(module).exports as unknown as WebpKernel);
}

export function giveBack(kernel: WebpKernel): void {
  if (idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= LARGEST_IDLE) idle.push(kernel);
}

/** Grows the memory up to an address. Views of the memory are invalid afterwards. */
export function ensureMemory({ memory }: WebpKernel, end: number): void {
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}

/** Writes the quantizer's tables for a picture, and resets the counts. */
export function writeTables({ memory }: WebpKernel, { luma, y2, chroma }: Quantizer): void {
  const words = new Uint16Array(memory.buffer);
  const at = (address: number) => address / 2;
  for (const [index, [kind, steps]] of Object.entries({ luma, y2, chroma }).entries()) {
    writeSteps(words.subarray(at(STEPS + STEPS_OF_ONE * index)), steps, kind as keyof typeof SCALE);
  }
  const cost = (bits: number) => Math.min(65_535, Math.round(16 * BIT_WEIGHT * luma.ac * bits));
  words.set(BLOCK_MODE_BITS.map(cost), at(MODE_COSTS));
  words.set([...LUMA_MODE_BITS, ...CHROMA_MODE_BITS, HAS_BLOCK_MODES_BITS].map(cost), at(MACROBLOCK_COSTS));
  for (const [mode, decisions] of BLOCK_MODE_DECISIONS.entries()) {
    words.set([decisions.length, ...decisions], at(MODE_DECISIONS + DECISIONS_OF_ONE * mode));
  }
  new Uint32Array(memory.buffer, COUNTS, COUNTED).fill(0);
}

function writeSteps(words: Uint16Array, { dc, ac }: Steps, kind: keyof typeof SCALE): void {
  for (let place = 0; place < 16; place++) {
    const scaled = SCALE[kind] * (place === 0 ? dc : ac);
    words[place] = place === 0 ? dc : ac;
    words[16 + place] = Math.round(32_768 / scaled);
    words[32 + place] = Math.round((ROUNDED_UP[kind][place === 0 ? 0 : 1] - 0.5) * scaled);
  }
}

export function writeProbabilities({ memory }: WebpKernel, probabilities: Uint8Array): void {
  new Uint8Array(memory.buffer, PROBABILITIES).set(probabilities);
}

/** Counts of each decision so far. */
export function countsOf({ memory }: WebpKernel): Uint32Array {
  return new Uint32Array(memory.buffer, COUNTS, COUNTED).slice();
}

function blockModeBits(): number[] {
  const bits: number[] = [];
  for (let at = 0; at < BLOCK_MODE_PROBABILITIES.length; at += 9) {
    const ofModes = BLOCK_MODE_DECISIONS.map((decisions) =>
      decisions.reduce((sum, one) => sum + bitsOf(BLOCK_MODE_PROBABILITIES[at + (one >> 1)] ?? 128, one & 1), 0),
    );
    bits.push(...ofModes, ...ofModes.slice(-2));
  }
  return bits;
}

/** The cost in bits of a decision for 0 or 1; `probability` of 0 is in 256ths. */
export function bitsOf(probability: number, is: number): number {
  return -Math.log2((is ? 256 - probability : probability) / 256);
}
