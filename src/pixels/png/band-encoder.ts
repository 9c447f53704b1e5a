// Rows of a raster in, a piece of a PNG's deflate stream out (RFC 1951).
//
// A piece ends on a whole byte and refers to no other, so that the pieces of one picture may be made anywhere and in
// any order. Each takes what suits it: filters and runs where it is a photo, matches where it is drawn.

import { ensureMemory, KERNEL_BASE, openKernel } from '../kernel.ts';
import type { Raster } from '../raster.ts';
import {
  BitWriter,
  type BlockCodes,
  chooseCodes,
  codesForKernel,
  DISTANCE_SYMBOLS,
  END_OF_BLOCK,
  estimateBits,
  LITERAL_SYMBOLS,
  type SymbolCounts,
  writeBlockHead,
} from './deflate-block.ts';

/** Bytes of pixels in a band: enough to pay for its codes, few enough for a processor's cache. */
const BAND_BYTES = 256 * 1024;
/** Rows of each band on which both ways are tried. */
const SAMPLE_ROWS = 6;
/** Zero bytes that the kernel wants around a row. */
const MARGIN = 16;
const TABLE_BYTES = 8 << 13;
const COUNTS_BYTES = 4 * (4 * 256 + 32 + 32);

const kernel = openKernel();

/** A piece of the file. */
export interface Band {
  readonly rows: number;
  /** Of the rows, filter bytes included. */
  readonly bytes: number;
  readonly adler: number;
  readonly piece: Uint8Array;
}

/** Where the parts of one band lie in the kernel's memory. */
interface Places {
  readonly rgba: number;
  /** The first row; the one above it stands before. */
  readonly rows: number;
  readonly bytes: number;
  readonly tokens: number;
  readonly counts: number;
  readonly table: number;
  readonly codes: number;
  readonly out: number;
  readonly end: number;
}

export class BandEncoder {
  readonly channels: 3 | 4;
  /** How many bands the picture has. */
  readonly count: number;
  readonly #bandRows: number;
  readonly #raster: Raster;
  readonly #rowLength: number;
  readonly #stride: number;
  readonly #at: Places;

  /** @param channels of the file; 3 takes every pixel to be opaque */
  constructor(raster: Raster, channels: 3 | 4) {
    this.#raster = raster;
    this.channels = channels;
    this.#rowLength = raster.width * channels;
    this.#stride = this.#rowLength + 2 * MARGIN;
    this.#bandRows = Math.min(raster.height, Math.max(8, Math.round(BAND_BYTES / this.#rowLength)));
    this.count = Math.ceil(raster.height / this.#bandRows);
    this.#at = this.#layOut();
    ensureMemory(kernel, this.#at.end - KERNEL_BASE);
  }

  #layOut(): Places {
    const rows = this.#bandRows + 1;
    const bytes = rows * (this.#rowLength + 1) + MARGIN;
    let next = KERNEL_BASE;
    const take = (size: number) => {
      const start = next;
      next += Math.ceil(size / 16) * 16;
      return start;
    };
    return {
      rgba: take(rows * this.#raster.width * 4),
      rows: take(rows * this.#stride + MARGIN) + MARGIN + this.#stride,
      bytes: take(bytes),
      // A match takes at least three bytes.
      tokens: take(8 * Math.ceil(bytes / 3) + 16),
      counts: take(COUNTS_BYTES),
      table: take(TABLE_BYTES),
      codes: take(4 * (LITERAL_SYMBOLS + DISTANCE_SYMBOLS)),
      // A literal's longest code has 14 bits.
      out: take(2 * bytes + 1024),
      end: next,
    };
  }

  /** @returns null when the picture was taken to be opaque and is not */
  encode(index: number): Band | null {
    const { adler32, filterRows } = kernel;
    const y0 = index * this.#bandRows;
    const y1 = Math.min(this.#raster.height, y0 + this.#bandRows);
    if (!this.#pack(y0, y1)) return null;
    const rows = y1 - y0;
    const isLast = y1 === this.#raster.height;
    const photographic = this.#isPhotographic(rows);
    filterRows(this.#at.rows, this.#stride, rows, this.#rowLength, this.channels, photographic ? 1 : 0, this.#at.bytes);
    const bytes = rows * (this.#rowLength + 1);
    const codes = chooseCodes(this.#tokenize(bytes, photographic));
    const adler = adler32(1, this.#at.bytes, bytes) >>> 0;
    return { rows, bytes, adler, piece: this.#write(codes, isLast) };
  }

  /** Brings rows, and the one above them, into the kernel's memory in the file's own pixel format. */
  #pack(y0: number, y1: number): boolean {
    const { memory, packOpaque, packTranslucent } = kernel;
    const { width, pixels } = this.#raster;
    const { rgba, rows } = this.#at;
    const first = Math.max(0, y0 - 1);
    const bytes = new Uint8Array(memory.buffer);
    bytes.fill(0, rows - this.#stride - MARGIN, rows + (y1 - y0) * this.#stride);
    bytes.set(pixels.subarray(4 * width * first, 4 * width * y1), rgba);
    for (let y = first; y < y1; y++) {
      const from = rgba + 4 * width * (y - first);
      const to = rows + this.#stride * (y - y0);
      if (this.channels === 4) packTranslucent(from, width, to);
      else if (packOpaque(from, width, to) !== 255) return false;
    }
    return true;
  }

  #isPhotographic(rows: number): boolean {
    const sample = Math.min(rows, SAMPLE_ROWS);
    const start = this.#at.rows + this.#stride * ((rows - sample) >> 1);
    const bits = [0, 1].map((adaptive) => {
      kernel.filterRows(start, this.#stride, sample, this.#rowLength, this.channels, adaptive as 0 | 1, this.#at.bytes);
      return estimateBits(this.#tokenize(sample * (this.#rowLength + 1), adaptive === 1));
    });
    return (bits[1] ?? 0) < (bits[0] ?? 0);
  }

  #tokenize(bytes: number, photographic: boolean): SymbolCounts {
    const { memory, findRuns, findMatches } = kernel;
    const at = this.#at;
    new Uint8Array(memory.buffer, at.counts, COUNTS_BYTES).fill(0);
    if (photographic) findRuns(at.bytes, bytes, at.tokens, at.counts);
    else findMatches(at.bytes, at.bytes, bytes, this.#rowLength + 1, at.table, at.tokens, at.counts);

    const counts = new Uint32Array(memory.buffer, at.counts, COUNTS_BYTES / 4);
    const literals = new Uint32Array(LITERAL_SYMBOLS);
    for (let value = 0; value < 256; value++) {
      literals[value] =
        (counts[value] ?? 0) + (counts[256 + value] ?? 0) + (counts[512 + value] ?? 0) + (counts[768 + value] ?? 0);
    }
    literals[END_OF_BLOCK] = 1;
    literals.set(counts.subarray(1024, 1024 + 29), 257);
    return { literals, distances: counts.slice(1056, 1056 + DISTANCE_SYMBOLS) };
  }

  #write(codes: BlockCodes, isLast: boolean): Uint8Array {
    const { memory, writeTokens } = kernel;
    const at = this.#at;
    const table = codesForKernel(codes);
    new Int32Array(memory.buffer, at.codes).set(table);
    const out = new Uint8Array(memory.buffer, at.out);
    const writer = new BitWriter(out, 0);
    writeBlockHead(writer, codes, isLast);
    writer.position = writeTokens(at.tokens, at.bytes, at.codes, at.out, writer.position);
    const endOfBlock = table[END_OF_BLOCK] ?? 0;
    writer.put(endOfBlock & 0xffff, endOfBlock >> 16);
    if (!isLast) {
      // An empty stored block carries the stream to the next whole byte.
      writer.put(0, 3);
      writer.align();
      writer.put(0, 16);
      writer.put(0xffff, 16);
    }
    return out.slice(0, writer.align());
  }
}
