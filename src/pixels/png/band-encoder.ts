// Rows of a raster in, a piece of a PNG's deflate stream out, as a chunk of the file (RFC 1950, RFC 1951).
//
// A piece ends on a whole byte and follows from the raster alone, so that the pieces of one picture may be made anywhere
// and in any order. Each takes what suits it: filters and runs where it is a photo, matches where it is drawn.

import { ensureMemory, KERNEL_BASE, openKernel } from '../kernel.ts';
import type { Part, PartEncoder, PartWish } from '../part.ts';
import type { Raster } from '../raster.ts';
import { CHUNK_HEAD, CHUNK_TAIL, sealChunk } from './chunk.ts';

/** Deflate with a window of 32 KiB, quickly compressed. */
const ZLIB_HEAD = [0x78, 0x01];
/**
 * The most bytes of pixels in a band: enough to pay for its codes; few enough for several threads to share a card, and
 * for many of its bands to show nothing that changes.
 */
const BAND_BYTES = 96 * 1024;
/** Bytes of the raster that pass through the kernel at a time. */
const SLICE_BYTES = 64 * 1024;
/** Rows of a band of very wide ones. */
const LEAST_ROWS = 8;
/** Pixels of a band that show whether it is drawn: few, for each waits for memory that nobody has read yet. */
const SAMPLES = 128;
/** Zero bytes that the kernel wants around a row that it filters, and room that it wants behind its bytes. */
const MARGIN = 16;
/** What wasm/png/ calls by the same names. */
const TABLE_BYTES = 32 + (16 << 12);
const COUNTS_BYTES = 4 * 316;

const kernel = openKernel();

/** Some rows: their piece of the deflate stream, as an IDAT chunk. */
export interface Band extends Part {
  /** Bytes of the rows, filter bytes included. */
  readonly length: number;
  /** Of these. */
  readonly adler: number;
}

/** Where the parts of one band lie in the kernel's memory. */
interface Places {
  readonly rgba: number;
  /** Of a photo: the row above the first. */
  readonly rows: number;
  /** As they are compressed: the row above, where it may be matched, and the rows of the band. */
  readonly bytes: number;
  readonly tokens: number;
  readonly counts: number;
  readonly table: number;
  readonly out: number;
  readonly end: number;
}

export class BandEncoder implements PartEncoder<Band> {
  readonly channels: 3 | 4;
  readonly count: number;
  readonly #bandRows: number;
  readonly #sliceRows: number;
  readonly #raster: Raster;
  readonly #pixels: DataView;
  /** Whether a band is, as far as that is known. */
  readonly #drawn: boolean[] = [];
  /** Without the filter byte. */
  readonly #rowLength: number;
  readonly #at: Places;

  /** @param channels of the file; 3 takes every pixel to be opaque */
  constructor(raster: Raster, channels: 3 | 4) {
    const { width, height, pixels } = raster;
    this.#raster = raster;
    this.#pixels = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    this.channels = channels;
    this.#rowLength = width * channels;
    // Bands as equal as they come, for threads end together then.
    const fewest = Math.ceil((height * this.#rowLength) / BAND_BYTES);
    this.#bandRows = Math.min(height, Math.max(LEAST_ROWS, Math.ceil(height / fewest)));
    this.#sliceRows = Math.max(1, Math.floor(SLICE_BYTES / (4 * width)));
    this.count = Math.ceil(height / this.#bandRows);
    this.#at = this.#layOut();
    ensureMemory(kernel, this.#at.end - KERNEL_BASE);
  }

  get wish(): PartWish {
    return { kind: 'bands', raster: this.#raster, channels: this.channels };
  }

  /** With the row above, which is matched, or subtracted. */
  rowsOf(index: number): { readonly from: number; readonly to: number } {
    const from = index * this.#bandRows;
    return { from: Math.max(0, from - 1), to: Math.min(this.#raster.height, from + this.#bandRows) };
  }

  pixelsOf(index: number): number {
    const { from, to } = this.rowsOf(index);
    return this.#raster.width * (to - from);
  }

  nameOf(index: number): string {
    const before = index > 0 && this.#isDrawn(index - 1) ? 'drawn' : 'filtered';
    return `png ${this.channels} ${index} after ${before}`;
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
      rgba: take(this.#sliceRows * this.#raster.width * 4),
      rows: take(MARGIN + rows * (this.#rowLength + MARGIN)) + MARGIN,
      bytes: take(bytes),
      // A match takes at least three bytes.
      tokens: take(8 * Math.ceil(bytes / 3) + 16),
      counts: take(COUNTS_BYTES),
      table: take(TABLE_BYTES),
      // A literal's longest code has 14 bits.
      out: take(2 * bytes + 1024),
      end: next,
    };
  }

  encode(index: number): Band | null {
    const y0 = index * this.#bandRows;
    const y1 = Math.min(this.#raster.height, y0 + this.#bandRows);
    const start = this.#isDrawn(index) ? this.#match(index, y0, y1) : this.#filter(y0, y1);
    if (start === null) return null;
    const length = (y1 - y0) * (this.#rowLength + 1);
    const adler = kernel.adler32(1, start, length) >>> 0;
    return { length, adler, bytes: this.#write(start, index) };
  }

  /** Judged on some hundred pixels, and where few of them repeat their neighbours, on a row. */
  #isDrawn(index: number): boolean {
    const known = this.#drawn[index];
    if (known !== undefined) return known;
    const { width, height } = this.#raster;
    const pixels = this.#pixels;
    const from = Math.max(1, index * this.#bandRows) * width + 1;
    const to = Math.min(height, (index + 1) * this.#bandRows) * width;
    // An odd step seldom falls on the same columns in every row.
    const step = 1 | Math.floor((to - from) / SAMPLES);
    let seen = 0;
    let repeated = 0;
    let unlike = from;
    for (let i = from; i < to; i += step) {
      const pixel = pixels.getUint32(4 * i);
      const above = 4 * (i - width);
      seen++;
      // Flat colours repeat the pixel to the left, slopes one above.
      if (
        pixel === pixels.getUint32(4 * i - 4) ||
        pixel === pixels.getUint32(above) ||
        pixel === pixels.getUint32(above - 4) ||
        pixel === pixels.getUint32(above + 4)
      )
        repeated++;
      else unlike = i;
    }
    const isFlat = repeated >= (7 / 8) * seen;
    this.#drawn[index] = isFlat || (repeated < seen / 2 && this.#rowRepeats(Math.floor(unlike / width)));
    return this.#drawn[index];
  }

  /** True when nearly all of a row has matches in it: tiles and grids. */
  #rowRepeats(y: number): boolean {
    const { bytes, table, tokens, counts } = this.#at;
    const rowBytes = this.#rowLength + 1;
    this.#packUnfiltered(y, y + 1);
    const literals = kernel.findMatches(bytes, bytes, rowBytes, rowBytes, this.channels, table, tokens, counts);
    return literals <= rowBytes / 8;
  }

  /** Rows as they are, and matches in them. Returns where they start, null when a pixel is not opaque. */
  #match(index: number, y0: number, y1: number): number | null {
    const { bytes, table, tokens, counts } = this.#at;
    const rowBytes = this.#rowLength + 1;
    // The row above stands in the stream as it is if its band is drawn too.
    const before = index > 0 && this.#isDrawn(index - 1) ? 1 : 0;
    if (!this.#packUnfiltered(y0 - before, y1)) return null;
    const start = bytes + before * rowBytes;
    kernel.findMatches(bytes, start, (y1 - y0) * rowBytes, rowBytes, this.channels, table, tokens, counts);
    return start;
  }

  /** Rows filtered, and runs in them. Returns where they start, null when a pixel is not opaque. */
  #filter(y0: number, y1: number): number | null {
    const { rows, bytes, tokens, counts } = this.#at;
    const stride = this.#rowLength + MARGIN;
    const before = y0 > 0 ? 1 : 0;
    new Uint8Array(kernel.memory.buffer).fill(0, rows - MARGIN, rows + stride);
    if (!this.#pack(y0 - before, y1, rows + stride * (1 - before), stride)) return null;
    kernel.filterRows(rows + stride, stride, y1 - y0, this.#rowLength, this.channels, bytes);
    kernel.findRuns(bytes, (y1 - y0) * (this.#rowLength + 1), tokens, counts);
    return bytes;
  }

  /** Of the zeros behind each row, one is the filter byte of the next. */
  #packUnfiltered(y0: number, y1: number): boolean {
    const { bytes } = this.#at;
    new Uint8Array(kernel.memory.buffer)[bytes] = 0;
    return this.#pack(y0, y1, bytes + 1, this.#rowLength + 1);
  }

  /** Brings rows into the kernel's memory in the file's own pixel format, each with zeros behind it. */
  #pack(y0: number, y1: number, to: number, stride: number): boolean {
    const { width, pixels } = this.#raster;
    // Typed arrays copy shared memory word by word, a Buffer four times as fast.
    const source = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    const memory = new Uint8Array(kernel.memory.buffer);
    const { rgba } = this.#at;
    for (let y = y0; y < y1; y += this.#sliceRows) {
      const end = Math.min(y1, y + this.#sliceRows);
      source.copy(memory, rgba, 4 * width * y, 4 * width * end);
      const place = to + stride * (y - y0);
      if (kernel.packRows(rgba, width, end - y, this.channels, place, stride) !== 255) return false;
    }
    return true;
  }

  #write(start: number, index: number): Uint8Array {
    const { tokens, counts, out } = this.#at;
    const bytes = new Uint8Array(kernel.memory.buffer, out);
    const head = index === 0 ? ZLIB_HEAD : [];
    bytes.set(head, CHUNK_HEAD);
    const before = CHUNK_HEAD + head.length;
    const size = kernel.writeBlock(tokens, start, counts, out + before, index === this.count - 1);
    return sealChunk('IDAT', bytes.slice(0, before + size + CHUNK_TAIL));
  }
}
