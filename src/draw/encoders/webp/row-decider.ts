// Decides how rows of macroblocks are coded: how each is predicted, and which levels remain.
//
// Equal rows give equal decisions on any thread.

import type { Raster } from '#draw/images/raster.ts';
import { Borders, type SharedBorders, type Wait } from './borders.ts';
import {
  borrowKernel,
  countsOf,
  ensureMemory,
  freeFrom,
  giveBack,
  MOST_LEVEL_BYTES,
  MOST_MODE_BYTES,
  ROW_ABOVE,
  type WebpKernel,
  writeTables,
} from './kernels.ts';
import { quantizerOf } from './quantizer.ts';

/** px a side of a macroblock. */
const MACROBLOCK = 16;
/** Macroblocks after which the row below may continue: some 25 µs. */
const CHUNK = 8;
/**
 * Most macroblocks that may have block modes, from the top of the picture: more would not fit a frame's first
 * partition, whose length has nineteen bits.
 */
const MOST_WITH_BLOCK_MODES = 45_000;

export const macroblocks = (pixels: number) => Math.ceil(pixels / MACROBLOCK);

export interface DecidedRow {
  readonly y: number;
  /** 16 bits each: those about levels, then those about modes. */
  readonly decisions: Uint8Array;
  /** Offset of those about modes. */
  readonly modes: number;
}

export type CopyRows = (pixels: Uint8Array, copy: Uint8Array) => void;
const copyAsIs: CopyRows = (pixels, copy) => copy.set(pixels);

export class RowDecider {
  /** Number of rows. */
  readonly count: number;
  readonly #kernel: WebpKernel = borrowKernel();
  readonly #borders: Borders;
  readonly #raster: Raster;
  readonly #copyRows: CopyRows;
  readonly #across: number;
  // Addresses in the kernel's memory.
  readonly #rgba: number;
  readonly #modes: number;
  readonly #levels: number;

  /**
   * @param quality 0 to 100
   * @param copyRows copies whole rows of RGBA pixels to the encoder's memory, where all must be opaque
   */
  constructor(raster: Raster, quality: number, borders: SharedBorders, copyRows: CopyRows = copyAsIs) {
    this.#raster = raster;
    this.#copyRows = copyRows;
    this.#borders = new Borders(borders);
    this.#across = macroblocks(raster.width);
    this.count = macroblocks(raster.height);
    this.#rgba = freeFrom(this.#across);
    this.#modes = this.#rgba + 4 * raster.width * MACROBLOCK;
    this.#levels = this.#modes + MOST_MODE_BYTES * this.#across;
    ensureMemory(this.#kernel, this.#levels + MOST_LEVEL_BYTES * this.#across);
    writeTables(this.#kernel, quantizerOf(quality));
  }

  /**
   * Decides a row; each step is a wait for the row above.
   *
   * @returns null when a pixel is not opaque
   */
  *decide(y: number): Generator<Wait, DecidedRow | null> {
    const { width, height, pixels } = this.#raster;
    const kernel = this.#kernel;
    const memory = new Uint8Array(kernel.memory.buffer);
    const above = memory.subarray(ROW_ABOVE, freeFrom(this.#across));
    const rows = Math.min(MACROBLOCK, height - MACROBLOCK * y);
    const shown = pixels.subarray(4 * width * MACROBLOCK * y, 4 * width * (MACROBLOCK * y + rows));
    this.#copyRows(shown, memory.subarray(this.#rgba, this.#rgba + shown.length));
    const mayHaveBlockModes = this.#across * (y + 1) <= MOST_WITH_BLOCK_MODES;
    kernel.openRow(y, this.#rgba, width, rows, mayHaveBlockModes, this.#levels, this.#modes);
    for (let from = 0; from < this.#across; from += CHUNK) {
      const end = Math.min(from + CHUNK, this.#across);
      while (!this.#borders.isReady(y, end)) yield this.#borders.wait(y, end);
      this.#borders.read(from, end, above);
      if (!kernel.decideUntil(end)) return null;
      this.#borders.leave(y, from, end, above);
    }
    const levels = memory.subarray(this.#levels, kernel.endOfLevels());
    const modes = memory.subarray(this.#modes, kernel.endOfModes());
    const decisions = new Uint8Array(levels.length + modes.length);
    decisions.set(levels);
    decisions.set(modes, levels.length);
    return { y, decisions, modes: levels.length };
  }

  /** Counts of each decision so far. */
  get counts(): Uint32Array {
    return countsOf(this.#kernel);
  }

  /** Returns the kernel to the pool; no further row may be decided. */
  release(): void {
    giveBack(this.#kernel);
  }
}
