// The WebP encoder's kernels with their types, and the tables that they work by. kernels/layout.ts says what lies where.

import { loadWasm } from '#platform/load-wasm.ts';
import type { Quantizer, Steps } from './quantizer.ts';
import {
  BLOCK_MODE_DECISIONS,
  BLOCK_MODE_PROBABILITIES,
  CHROMA_MODE_BITS,
  HAS_BLOCK_MODES_BITS,
  LUMA_MODE_BITS,
} from './vp8-tables.ts';

/** A decision is a number of 16 bits: twice that of its probability, and 1 for yes. */
interface KernelFunctions {
  /** Starts a row of macroblocks: its levels go to one address, its modes to another. */
  openRow(
    y: number,
    rgba: number,
    width: number,
    rows: number,
    mayHaveBlockModes: boolean,
    levels: number,
    modes: number,
  ): void;
  /** Decides all of its next macroblocks, up to a column. Returns 0 when a pixel is not opaque. */
  decideUntil(end: number): number;
  endOfLevels(): number;
  endOfModes(): number;
  openCoder(coder: number): void;
  /** Returns where the bytes end; a carry into earlier ones adds 1 to the byte in front of `out`. */
  code(coder: number, from: number, to: number, out: number): number;
  /** Writes the last bytes, as `code` does. */
  closeCoder(coder: number, out: number): number;
}

export interface WebpKernel extends KernelFunctions {
  readonly memory: WebAssembly.Memory;
}

/** Where the row above leaves so many bytes for each macroblock, and where nothing is the kernel's any more. */
export const ROW_ABOVE = 2 * 65_536 - 32_768;
export const ABOVE_OF_ONE = 64;
export const freeFrom = (across: number) => ROW_ABOVE + ABOVE_OF_ONE * across;
/** Bytes of a coder's state. */
export const CODER_BYTES = 16;
/** Bytes of decisions that a macroblock comes to at most: 25 blocks of 16 levels, and its modes. */
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
/** Decisions that are counted, by their numbers. */
export const COUNTED = 4096;

/** What a bit weighs against a distance, in steps of luma. */
const BIT_WEIGHT = 0.25;
/** The part of a step from which a level is rounded up, of a first value and of others; less costs more than it shows. */
const ROUNDED_UP = { luma: [0.52, 0.56], y2: [0.52, 0.52], chroma: [0.54, 0.54] } as const;
/** What the transforms leave to be divided out. */
const SCALE = { luma: 8, y2: 2, chroma: 8 } as const;

const module = loadWasm('encoders/webp/kernels.wasm');
/** Bits of each mode of a block, by the modes above and to the left; the last two stand twice, as they are read so. */
const BLOCK_MODE_BITS = blockModeBits();

/** Kernels that nobody uses: a new one's memory costs more, page by page, than what is written into it. */
const idle: WebpKernel[] = [];
const MOST_IDLE = 4;
/** The memory of larger ones is garbage at once. */
const LARGEST_IDLE = 8 * 1024 * 1024;

export function borrowKernel(): WebpKernel {
  return idle.pop() ?? (new WebAssembly.Instance(module).exports as unknown as WebpKernel);
}

export function giveBack(kernel: WebpKernel): void {
  if (idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= LARGEST_IDLE) idle.push(kernel);
}

/** Makes room up to an address. Views of the memory are invalid afterwards. */
export function ensureMemory({ memory }: WebpKernel, end: number): void {
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}

/** Writes what a picture is quantized by, and forgets what was counted. */
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
    const coded = decisions.map(([number, is]) => 2 * number + is);
    words.set([coded.length, ...coded], at(MODE_DECISIONS + DECISIONS_OF_ONE * mode));
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

/** How often each decision was taken so far. */
export function countsOf({ memory }: WebpKernel): Uint32Array {
  return new Uint32Array(memory.buffer, COUNTS, COUNTED).slice();
}

function blockModeBits(): number[] {
  const bits: number[] = [];
  for (let at = 0; at < BLOCK_MODE_PROBABILITIES.length; at += 9) {
    const ofModes = BLOCK_MODE_DECISIONS.map((decisions) =>
      decisions.reduce((sum, [number, is]) => sum + bitsOf(BLOCK_MODE_PROBABILITIES[at + number] ?? 128, is), 0),
    );
    bits.push(...ofModes, ...ofModes.slice(-2));
  }
  return bits;
}

/** What a decision costs whose probability of being 0 is so many 256ths. */
export function bitsOf(probability: number, is: 0 | 1): number {
  return -Math.log2((is ? 256 - probability : probability) / 256);
}
