// Rows of a raster in, a piece of a PNG's deflate stream out, as a chunk of the file (RFC 1950, RFC 1951).
//
// A piece ends on a whole byte and follows from the raster alone, so that the pieces of one picture may be made anywhere
// and in any order. Each takes what suits it: a filter where it is a photo, matches where it is drawn.

import type { Size } from '#core/geometry.ts';
import type { Raster } from '#images/raster.ts';
import { copyBytes } from '#platform/copy-bytes.ts';
import type { Part, PartEncoder, PartWish } from '../part.ts';
import { CHUNK_HEAD, CHUNK_TAIL, sealChunk } from './chunk.ts';
import { ensureMemory, KERNEL_BASE, openKernel } from './kernels.ts';

/** Deflate with a window of 32 KiB, quickly compressed. */
const ZLIB_HEAD = [0x78, 0x01];
/** The most bytes of pixels in a band: enough to pay for its codes, few enough for several threads to share a card. */
const BAND_BYTES = 96 * 1024;
/** Rows of a band of very wide ones. */
const LEAST_ROWS = 8;
/** Pixels of a band that show whether it is drawn: few, for each waits for memory that nobody has read yet. */
const SAMPLES = 128;
/** Bytes that show whether a row repeats, if not all of a longer one does. */
const LEAST_TRIED = 256;
/** Bytes around what the kernel reads or writes sixteen at a time. */
const MARGIN = 32;

// What kernels/ calls by the same names.
const TABLE_BYTES = 16 << 11;
const COUNTS_BYTES = 4 * 316;

const kernel = openKernel();

/** Some rows: their piece of the deflate stream, as an IDAT chunk. */
export interface Band extends Part {
  /** Bytes of the rows, filter bytes included. */
  readonly length: number;
  /** Of these. */
  readonly adler: number;
}

/** A deflate block, in the kernel's memory until the next is made. */
interface Block {
  readonly data: Uint8Array;
  readonly adler: number;
}

/** Where the parts of one band lie in the kernel's memory. */
interface Places {
  /** The row above the first, then those of the band. */
  readonly rgba: number;
  /** As they are compressed; drawn, the row above first, where it may be matched. */
  readonly bytes: number;
  readonly tokens: number;
  readonly counts: number;
  readonly table: number;
  readonly out: number;
  readonly end: number;
}

/** Rows of every band but the last: bands as equal as they come, for threads end together then. */
function bandRows({ width, height }: Size, channels: 3 | 4): number {
  const fewest = Math.ceil((height * width * channels) / BAND_BYTES);
  return Math.min(height, Math.max(LEAST_ROWS, Math.ceil(height / fewest)));
}

export class BandEncoder implements PartEncoder<Band> {
  readonly channels: 3 | 4;
  readonly count: number;
  readonly #bandRows: number;
  readonly #raster: Raster;
  readonly #pixels: DataView;
  /** Whether a band is, as far as that is known. */
  readonly #drawn: boolean[] = [];
  /** Without the filter byte. */
  readonly #rowLength: number;
  readonly #at: Places;

  /** @param channels of the file; 3 takes every pixel to be opaque */
  constructor(raster: Raster, channels: 3 | 4) {
    const { width, pixels } = raster;
    this.#raster = raster;
    this.#pixels = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    this.channels = channels;
    this.#rowLength = width * channels;
    this.#bandRows = bandRows(raster, channels);
    this.count = Math.ceil(raster.height / this.#bandRows);
    this.#at = this.#layOut();
    ensureMemory(kernel, this.#at.end - KERNEL_BASE);
  }

  get wish(): PartWish {
    return { raster: this.#raster, channels: this.channels };
  }

  #layOut(): Places {
    const rows = this.#bandRows + 1;
    const bytes = rows * (this.#rowLength + 1) + MARGIN;
    // A literal's longest code has 14 bits.
    const largest = 2 * bytes + 1024;
    let next = KERNEL_BASE;
    const take = (size: number) => {
      const start = next;
      next += Math.ceil(size / 16) * 16;
      return start;
    };
    return {
      rgba: take(rows * 4 * this.#raster.width + MARGIN),
      bytes: take(bytes),
      // A match takes at least three bytes.
      tokens: take(8 * Math.ceil(bytes / 3) + 16),
      counts: take(COUNTS_BYTES),
      table: take(TABLE_BYTES),
      out: take(largest),
      end: next,
    };
  }

  encode(index: number): Band | null {
    const { from, to } = this.#ownRows(index);
    const block = this.#isDrawn(index) ? this.#match(index) : this.#filter(index);
    if (!block) return null;
    const { data, adler } = block;
    const head = index === 0 ? ZLIB_HEAD : [];
    const bytes = new Uint8Array(CHUNK_HEAD + head.length + data.length + CHUNK_TAIL);
    bytes.set(head, CHUNK_HEAD);
    bytes.set(data, CHUNK_HEAD + head.length);
    return { bytes: sealChunk('IDAT', bytes), length: (to - from) * (this.#rowLength + 1), adler };
  }

  #ownRows(index: number): { readonly from: number; readonly to: number } {
    const from = index * this.#bandRows;
    return { from, to: Math.min(this.#raster.height, from + this.#bandRows) };
  }

  #isLast(index: number): boolean {
    return index === this.count - 1;
  }

  /** Judged on some hundred pixels, and where few of them repeat their neighbours, on a row. */
  #isDrawn(index: number): boolean {
    const known = this.#drawn[index];
    if (known !== undefined) return known;
    const { width } = this.#raster;
    const pixels = this.#pixels;
    const rows = this.#ownRows(index);
    const from = Math.max(1, rows.from) * width + 1;
    const to = rows.to * width;
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
    const isFlat = repeated >= (13 / 16) * seen;
    this.#drawn[index] = isFlat || (repeated < seen / 2 && this.#rowRepeats(Math.floor(unlike / width)));
    return this.#drawn[index];
  }

  /** True when nearly all of a row has matches in it: tiles and grids. */
  #rowRepeats(y: number): boolean {
    const { bytes, table, tokens, counts } = this.#at;
    const rowBytes = this.#rowLength + 1;
    this.#packUnfiltered(y, y + 1);
    const repeats = (length: number) =>
      kernel.findMatches(bytes, bytes, length, rowBytes, this.channels, table, tokens, counts) <= rowBytes / 8;
    // Where a part of it already has too much that is new, as photos have, there is no need for the rest.
    return repeats(Math.min(rowBytes, Math.max(LEAST_TRIED, Math.ceil(rowBytes / 4)))) && repeats(rowBytes);
  }

  /** Rows as they are, and matches in them. Null when a pixel is not opaque. */
  #match(index: number): Block | null {
    const { bytes, table, tokens, counts, out } = this.#at;
    const { from, to } = this.#ownRows(index);
    const rowBytes = this.#rowLength + 1;
    // The row above stands in the stream as it is if its band is drawn too.
    const before = index > 0 && this.#isDrawn(index - 1) ? 1 : 0;
    if (!this.#packUnfiltered(from - before, to)) return null;
    const start = bytes + before * rowBytes;
    const length = (to - from) * rowBytes;
    kernel.findMatches(bytes, start, length, rowBytes, this.channels, table, tokens, counts);
    const size = kernel.writeBlock(tokens, start, counts, out, this.#isLast(index));
    const adler = kernel.adler32(1, start, length) >>> 0;
    return { data: new Uint8Array(kernel.memory.buffer, out, size), adler };
  }

  /** Brings rows into the kernel's memory as they are, each behind its filter byte. False when a pixel is not opaque. */
  #packUnfiltered(from: number, to: number): boolean {
    const { rgba, bytes } = this.#at;
    const { width } = this.#raster;
    this.#load(from, to, rgba);
    new Uint8Array(kernel.memory.buffer)[bytes] = 0;
    // Of the zeros behind each row, one is the filter byte of the next.
    return kernel.packRows(rgba, width, to - from, this.channels, bytes + 1, this.#rowLength + 1) === 255;
  }

  /** Rows filtered, and runs in them. Null when a pixel is not opaque. */
  #filter(index: number): Block | null {
    const { rgba, bytes, tokens, counts, out } = this.#at;
    const { width } = this.#raster;
    const { from, to } = this.#ownRows(index);
    const first = rgba + 4 * width;
    if (from > 0) this.#load(from - 1, to, rgba);
    else {
      new Uint8Array(kernel.memory.buffer).fill(0, rgba, first);
      this.#load(from, to, first);
    }
    if (kernel.filterRows(first, width, to - from, this.channels, bytes) !== 255) return null;
    const length = (to - from) * (this.#rowLength + 1);
    kernel.findRuns(bytes, length, tokens, counts);
    const size = kernel.writeBlock(tokens, bytes, counts, out, this.#isLast(index));
    const adler = kernel.adler32(1, bytes, length) >>> 0;
    return { data: new Uint8Array(kernel.memory.buffer, out, size), adler };
  }

  #load(from: number, to: number, place: number): void {
    const { width, pixels } = this.#raster;
    copyBytes(pixels.subarray(4 * width * from, 4 * width * to), kernel.memory, place);
  }
}
