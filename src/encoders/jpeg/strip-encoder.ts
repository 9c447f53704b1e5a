// Rows of a raster in, a restart interval of a JPEG's coded data out (ITU-T T.81, baseline, 4:2:0).
//
// An interval ends on a whole byte and refers to no other, so that those of one picture may be made anywhere and in any
// order. The arithmetic is the kernel's own: the same rows give the same bytes on every machine. Of rows that show a
// ground in part, what stays of it is not coded again: its bits are copied, unit by unit, into the same bytes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Size } from '#core/geometry.ts';
import { codesOf, HUFFMAN, quantization, ZIGZAG } from '#images/jpeg/tables.ts';
import { bufferOf, type Raster } from '#images/raster.ts';
import { type KnownUnits, learntUnits, markCovered, type PartOfUnits } from '../known-units.ts';
import type { PartEncoder, PartWish } from '../part.ts';

interface StripKernel {
  readonly memory: WebAssembly.Memory;
  /**
   * Codes premultiplied RGBA rows; transparency turns white. Units that are not covered are copied where they are known.
   * Writes a mark of each unit and one of their end, which says how many are covered, then their bits; returns the address
   * behind these.
   */
  codeRows(
    rgba: number,
    width: number,
    height: number,
    tables: number,
    covered: number,
    known: number,
    out: number,
  ): number;
  /** Copies coded data as it stands in a file. Returns the address behind it. */
  stuff(from: number, to: number, out: number): number;
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
/** Bytes that a unit's data has at most: every value with the longest code and bits. */
const LARGEST_UNIT = 6 * 64 * 4;
const MARK = 12;
const COUNT_IN_MARK = 10;
/** Bytes that the kernel reads or writes at once, whatever they are. */
const MARGIN = 16;

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

/** Rows of every strip but the last. */
const stripRows = (width: number) => UNIT * Math.max(1, Math.round(STRIP_PIXELS / UNIT / width));

export const countStrips = ({ width, height }: Size) => Math.ceil(height / stripRows(width));

/** Where the parts of one strip lie in the kernel's memory. */
interface Places {
  /** A byte for each unit. */
  readonly covered: number;
  readonly known: number;
  readonly coded: number;
  readonly file: number;
  readonly end: number;
}

export class StripEncoder implements PartEncoder<PartOfUnits> {
  readonly count: number;
  /** Units of every strip but the last. */
  readonly interval: number;
  readonly #rows: number;
  readonly #raster: Raster;
  readonly #quality: number;
  readonly #known: KnownUnits | null;
  readonly #at: Places;

  /**
   * @param quality 1 to 100
   * @param known null for a raster on no ground
   */
  constructor(raster: Raster, quality: number, known: KnownUnits | null) {
    const { width } = raster;
    this.#raster = raster;
    this.#quality = quality;
    this.#known = known;
    this.#rows = stripRows(width);
    this.count = countStrips(raster);
    this.interval = Math.ceil(width / UNIT) * (this.#rows / UNIT);
    this.#at = this.#layOut();
    ensureMemory(this.#at.end);
  }

  get wish(): PartWish {
    return { kind: 'strips', raster: this.#raster, quality: this.#quality, known: this.#known };
  }

  rowsOf(index: number): { readonly from: number; readonly to: number } {
    const from = this.#rows * index;
    return { from, to: Math.min(this.#raster.height, from + this.#rows) };
  }

  nameOf(index: number): string {
    return `jpeg ${this.#quality} ${index}`;
  }

  #layOut(): Places {
    const covered = RGBA + 4 * this.#raster.width * this.#rows;
    const known = covered + this.interval;
    const largest = MARK * (this.interval + 1) + LARGEST_UNIT * this.interval + MARGIN;
    const coded = known + largest;
    const file = coded + largest;
    // Each byte may be an FF.
    return { covered, known, coded, file, end: file + 2 * largest };
  }

  /** Of a strip that is known in part, as many as were covered there. */
  pixelsOf(index: number): number {
    const { from, to } = this.rowsOf(index);
    const known = this.#known?.parts[index];
    return known ? known.covered * UNIT ** 2 : this.#raster.width * (to - from);
  }

  encode(index: number): PartOfUnits {
    const { width, pixels } = this.#raster;
    const at = this.#at;
    const { from, to } = this.rowsOf(index);
    const units = Math.ceil(width / UNIT) * Math.ceil((to - from) / UNIT);
    const known = this.#known?.parts[index];
    writeFactors(this.#quality);
    const memory = Buffer.from(kernel.memory.buffer);
    bufferOf(pixels).copy(memory, RGBA, 4 * width * from, 4 * width * to);
    if (known) bufferOf(known.bytes).copy(memory, at.known);
    const grid = { width, from, unit: { width: UNIT, height: UNIT }, reach: 0 };
    markCovered(memory.subarray(at.covered, at.covered + units), this.#known?.covered ?? [], grid);
    const end = kernel.codeRows(RGBA, width, to - from, TABLES, at.covered, known ? at.known : 0, at.coded);
    const bits = at.coded + MARK * (units + 1);
    const bytes = Uint8Array.from(memory.subarray(at.file, kernel.stuff(bits, end, at.file)));
    const covered = memory.readUInt16LE(bits - MARK + COUNT_IN_MARK);
    return { bytes, units: learntUnits(memory.subarray(at.coded, end), covered, known?.covered ?? units) };
  }
}
