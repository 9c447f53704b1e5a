// Rows of a raster in, a restart interval of a JPEG's coded data out (ITU-T T.81, baseline, 4:2:0).
//
// An interval ends on a whole byte and refers to no other, so that those of one picture may be made anywhere and in any
// order. The arithmetic is the kernel's own: the same rows give the same bytes on every machine.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part, PartEncoder, PartWish } from '../part.ts';
import type { Raster } from '../raster.ts';
import { codesOf, HUFFMAN, quantization, ZIGZAG } from './tables.ts';

interface StripKernel {
  readonly memory: WebAssembly.Memory;
  /** Codes premultiplied RGBA rows; transparency turns white. Returns the address behind the data. */
  codeRows(rgba: number, width: number, height: number, tables: number, out: number): number;
}

const module = new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'jpeg.wasm')));
const kernel = new WebAssembly.Instance(module).exports as unknown as StripKernel;

/** px a side of what is coded as one: sixteen of luma, whose colour differences have every second pixel. */
const UNIT = 16;
/** Pixels of a strip, about 0.12 ms: so few that many strips of a card show nothing that changes. */
const STRIP_PIXELS = 40_000;

// Where things lie in the kernel's memory; wasm/jpeg.ts says what they are.
const TABLES = 65_536;
const POSITIONS = TABLES;
const OFFSETS = TABLES + 16_384;
const FACTORS = TABLES + 16_512;
const CODES = TABLES + 17_024;
const CODES_OF_ONE = 4 * (16 + 256);
const RGBA = TABLES + 32_768;
/** Bytes that a unit's data has at most: every value with the longest code and bits, and each byte an FF. */
const LARGEST_UNIT = 2 * 6 * 64 * 4;

/** What the transform leaves to be divided out, on each axis (Arai, Agui and Nakajima). */
const AXIS = Array.from({ length: 8 }, (_, k) => (k === 0 ? 1 : Math.SQRT2 * Math.cos((k * Math.PI) / 16)));

/** The transform leaves a block with its rows and columns exchanged. */
const exchanged = (place: number) => ((place & 7) << 3) | (place >> 3);

ensureMemory(RGBA);
writeLastingTables();

function ensureMemory(bytes: number): void {
  const missing = bytes - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65_536));
}

function writeLastingTables(): void {
  const view = new DataView(kernel.memory.buffer);
  const zigzagOf = new Uint8Array(64);
  for (const [n, place] of ZIGZAG.entries()) {
    zigzagOf[exchanged(place)] = n;
    view.setUint16(OFFSETS + 2 * n, 2 * exchanged(place), true);
  }
  for (let row = 0; row < 8; row++) {
    for (let set = 0; set < 256; set++) {
      let positions = 0n;
      for (let lane = 0; lane < 8; lane++) {
        if ((set >> lane) & 1) positions |= 1n << BigInt(zigzagOf[8 * row + lane] ?? 0);
      }
      view.setBigUint64(POSITIONS + 8 * (256 * row + set), positions, true);
    }
  }
  for (const [index, { dc, ac }] of HUFFMAN.entries()) {
    const base = CODES + CODES_OF_ONE * index;
    for (const { symbol, code, length } of codesOf(dc)) view.setUint32(base + 4 * symbol, (code << 8) | length, true);
    for (const { symbol, code, length } of codesOf(ac)) {
      view.setUint32(base + 4 * (16 + symbol), (code << 8) | length, true);
    }
  }
}

/** Whose factors stand in the kernel's memory. */
let written = 0;

function writeFactors(quality: number): void {
  if (quality === written) return;
  written = quality;
  const view = new DataView(kernel.memory.buffer);
  for (const [index, steps] of quantization(quality).entries()) {
    for (const [place, step] of steps.entries()) {
      // 8 for the transform, 2 for the samples, which are handed to it doubled.
      const scale = 16 * (AXIS[place & 7] ?? 1) * (AXIS[place >> 3] ?? 1);
      view.setFloat32(FACTORS + 256 * index + 4 * exchanged(place), 1 / (step * scale), true);
    }
  }
}

export class StripEncoder implements PartEncoder<Part> {
  readonly count: number;
  /** Units of every strip but the last. */
  readonly interval: number;
  readonly #rows: number;
  readonly #raster: Raster;
  readonly #quality: number;

  /** @param quality 1 to 100 */
  constructor(raster: Raster, quality: number) {
    const { width, height } = raster;
    this.#raster = raster;
    this.#quality = quality;
    this.#rows = UNIT * Math.max(1, Math.round(STRIP_PIXELS / UNIT / width));
    this.count = Math.ceil(height / this.#rows);
    this.interval = Math.ceil(width / UNIT) * (this.#rows / UNIT);
    ensureMemory(RGBA + 4 * width * this.#rows + LARGEST_UNIT * this.interval);
  }

  get wish(): PartWish {
    return { kind: 'strips', raster: this.#raster, quality: this.#quality };
  }

  rowsOf(index: number): { readonly from: number; readonly to: number } {
    const from = this.#rows * index;
    return { from, to: Math.min(this.#raster.height, from + this.#rows) };
  }

  nameOf(index: number): string {
    return `jpeg ${this.#quality} ${index}`;
  }

  encode(index: number): Part {
    const { width, pixels } = this.#raster;
    writeFactors(this.#quality);
    const { from, to } = this.rowsOf(index);
    const memory = new Uint8Array(kernel.memory.buffer);
    memory.set(pixels.subarray(4 * width * from, 4 * width * to), RGBA);
    const out = RGBA + 4 * width * this.#rows;
    return { bytes: memory.slice(out, kernel.codeRows(RGBA, width, to - from, TABLES, out)) };
  }
}
