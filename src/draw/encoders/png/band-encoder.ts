// Encodes some rows of a raster as a piece of a PNG's deflate stream, in a chunk of its own (RFC 1950, RFC 1951).
//
// A piece ends on a byte boundary and depends on the raster alone, so that the pieces of one picture can be made on any
// thread and in any order. Each uses the method that suits it: a filter for photos and shadows, matches for drawings.

import { copyBytes } from '#base/runtime.ts';
import type { Size } from '#core/geometry.ts';
import type { IndexedRaster, Raster } from '#draw/images/raster.ts';
import { CHUNK_HEAD, CHUNK_TAIL, sealChunk } from './chunk.ts';
import { type Channels, ensureMemory, KERNEL_BASE, openKernel } from './kernels.ts';

/** zlib header: deflate with a window of 32 KiB, fastest compression. */
const ZLIB_HEAD = [0x78, 0x01];
/** Most bytes of pixels in a band: enough to pay for its codes, few enough for several threads to share a card. */
const BAND_BYTES = 192 * 1024;
/** Least rows of a band, for very wide pictures. */
const LEAST_ROWS = 8;
/** Pixels sampled to tell whether a band is a drawing: few, because each is a cache miss. */
const SAMPLES = 128;
/** One row in so many of a mixture is tried with the filter: odd, so that it seldom falls in step with a pattern. */
const TRIED = 7;
/** A mixture that matches make smaller than this share of its bytes is not tried. */
const SMALL = 1 / 100;
/** Least bytes of a row that are tried for repetition, before all of it is. */
const LEAST_TRIED = 256;
/** Extra bytes, because the kernel reads and writes sixteen at a time. */
const MARGIN = 32;

// Constants of the same names in kernels/.
const TABLE_BYTES = 16 << 11;
const COUNTS_BYTES = 4 * 316;

const kernel = openKernel();

/** How a file stores pixels: as opaque RGB, as straight RGBA, or as the indices of an indexed raster. */
export type PngPixels = keyof typeof CHANNELS;

const CHANNELS = { rgb: 3, rgba: 4, indices: 1 } as const satisfies Record<string, Channels>;

/** What a band shows, as far as some of its pixels tell: a `mixture` is tried with matches and with the filter. */
type Look = 'drawing' | 'mixture' | 'photo';

/** The piece of the deflate stream for some rows, as an IDAT chunk. */
export interface Band {
  readonly bytes: Uint8Array;
  /** Bytes of the rows, including filter bytes. */
  readonly length: number;
  /** Adler-32 of these bytes. */
  readonly adler: number;
  /** Whether it is known to be matched without a trial; the band below may then match its last row. */
  readonly isDrawn: boolean;
}

/** Addresses of rows and their tokens. */
interface Tokens {
  /** The rows in the form that is compressed; for a drawing preceded by the row above, which may then be matched. */
  readonly bytes: number;
  readonly tokens: number;
  /** Counts of their symbols, then codes. */
  readonly counts: number;
}

/** Addresses of the parts of one band in the kernel's memory. */
interface Places extends Tokens {
  /** The row above the first, then those of the band, as the raster has them. */
  readonly rows: number;
  /** Some of the rows, filtered. */
  readonly tried: Tokens;
  readonly table: number;
  readonly out: number;
  readonly end: number;
}

/** Rows of every band but the last. Bands are as equal as possible, so that threads finish together. */
function bandRows({ width, height }: Size, channels: Channels): number {
  const fewest = Math.ceil((height * width * channels) / BAND_BYTES);
  return Math.min(height, Math.max(LEAST_ROWS, Math.ceil(height / fewest)));
}

/** Encodes the bands of one picture in any order: none depends on another. */
export class BandEncoder {
  readonly raster: Raster | IndexedRaster;
  readonly form: PngPixels;
  readonly #channels: Channels;
  readonly count: number;
  readonly #bandRows: number;
  readonly #pixels: DataView;
  /** Bytes of a pixel in the raster. */
  readonly #pixelBytes: 1 | 4;
  /** What each band looks like, once known. */
  readonly #looks: Look[] = [];
  /** Bytes of a row without the filter byte. */
  readonly #rowLength: number;
  readonly #at: Places;

  /** @param form rgb assumes that every pixel is opaque; an indexed raster has indices */
  constructor(raster: Raster | IndexedRaster, form: PngPixels) {
    const { width } = raster;
    const pixels = 'indices' in raster ? raster.indices : raster.pixels;
    this.raster = raster;
    this.#pixels = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    this.#pixelBytes = 'indices' in raster ? 1 : 4;
    const channels = CHANNELS[form];
    this.form = form;
    this.#channels = channels;
    this.#rowLength = width * channels;
    this.#bandRows = bandRows(raster, channels);
    this.count = Math.ceil(raster.height / this.#bandRows);
    this.#at = this.#layOut();
    ensureMemory(kernel, this.#at.end - KERNEL_BASE);
  }

  #layOut(): Places {
    const rows = this.#bandRows + 1;
    const stride = this.#rowLength + 1;
    let next = KERNEL_BASE;
    const take = (size: number) => {
      const start = next;
      next += Math.ceil(size / 16) * 16;
      return start;
    };
    const takeTokens = (most: number) => ({
      bytes: take(most),
      // A match covers at least three bytes.
      tokens: take(8 * Math.ceil(most / 3) + 16),
      counts: take(COUNTS_BYTES),
    });
    return {
      rows: take(rows * this.#pixelBytes * this.raster.width + MARGIN),
      ...takeTokens(rows * stride + MARGIN),
      tried: takeTokens(Math.ceil(rows / TRIED) * stride + MARGIN),
      table: take(TABLE_BYTES),
      // A literal's longest code has 14 bits.
      out: take(2 * (rows * stride + MARGIN) + 1024),
      end: next,
    };
  }

  /** @returns null when the picture was assumed to be opaque and the band is not */
  encode(index: number): Band | null {
    const rows = this.#tell(index);
    if (rows === null) return null;
    const { tokens, counts, out } = this.#at;
    const length = this.#lengthOf(index);
    const size = kernel.writeBlock(tokens, rows, counts, out, index === this.count - 1);
    const head = index === 0 ? ZLIB_HEAD : [];
    const chunk = new Uint8Array(CHUNK_HEAD + head.length + size + CHUNK_TAIL);
    chunk.set(head, CHUNK_HEAD);
    chunk.set(new Uint8Array(kernel.memory.buffer, out, size), CHUNK_HEAD + head.length);
    const adler = kernel.adler32(1, rows, length) >>> 0;
    return { bytes: sealChunk('IDAT', chunk), length, adler, isDrawn: this.isDrawn(index) };
  }

  /** Converts a band to tokens, and chooses their codes. Returns the address of the rows; null if one is not opaque. */
  #tell(index: number): number | null {
    const { form } = this;
    if (form === 'indices') return this.#match(index)?.rows ?? null;
    const matched = this.#lookOf(index) === 'photo' ? null : this.#match(index);
    if (matched && (this.isDrawn(index) || !this.#isLessFiltered(index, CHANNELS[form], matched.bits))) {
      return matched.rows;
    }
    return this.#filter(index, CHANNELS[form]);
  }

  /** Bytes of a band's rows, including filter bytes. */
  #lengthOf(index: number): number {
    const { from, to } = this.rowsOf(index);
    return (to - from) * (this.#rowLength + 1);
  }

  /** The rows of a band; the end is exclusive. */
  rowsOf(index: number): { readonly from: number; readonly to: number } {
    const from = index * this.#bandRows;
    return { from, to: Math.min(this.raster.height, from + this.#bandRows) };
  }

  /** Whether a band is matched without a trial. */
  isDrawn(index: number): boolean {
    return this.form === 'indices' || this.#lookOf(index) === 'drawing';
  }

  #lookOf(index: number): Look {
    this.#looks[index] ??= this.#look(index);
    return this.#looks[index];
  }

  /** Judged by some hundred pixels, and if few of them repeat their neighbours, by one row. */
  #look(index: number): Look {
    const { width } = this.raster;
    const pixels = this.#pixels;
    const rows = this.rowsOf(index);
    const from = Math.max(1, rows.from) * width + 1;
    const to = rows.to * width;
    // An odd step seldom hits the same columns in every row.
    const step = 1 | Math.floor((to - from) / SAMPLES);
    let seen = 0;
    let repeated = 0;
    let unlike = from;
    for (let i = from; i < to; i += step) {
      const pixel = pixels.getUint32(4 * i);
      const above = 4 * (i - width);
      seen++;
      // Flat colours repeat the pixel to the left; gradients repeat one in the row above.
      if (
        pixel === pixels.getUint32(4 * i - 4) ||
        pixel === pixels.getUint32(above) ||
        pixel === pixels.getUint32(above - 4) ||
        pixel === pixels.getUint32(above + 4)
      )
        repeated++;
      else unlike = i;
    }
    if (repeated >= (19 / 20) * seen) return 'drawing';
    if (repeated >= (13 / 16) * seen) return 'mixture';
    return repeated < seen / 2 && this.#rowRepeats(Math.floor(unlike / width)) ? 'drawing' : 'photo';
  }

  /** Whether nearly all of a row can be matched within itself: tiles and grids. */
  #rowRepeats(y: number): boolean {
    const { bytes, table, tokens, counts } = this.#at;
    const rowBytes = this.#rowLength + 1;
    this.#packUnfiltered(y, y + 1);
    const repeats = (length: number) =>
      kernel.findMatches(bytes, bytes, length, rowBytes, this.#channels, table, tokens, counts) <= rowBytes / 8;
    // If already the first part has too much that is new, as in photos, the rest need not be tried.
    return repeats(Math.min(rowBytes, Math.max(LEAST_TRIED, Math.ceil(rowBytes / 4)))) && repeats(rowBytes);
  }

  /**
   * Whether a band takes less filtered than matched, judged by some of its rows: shadows and soft gradients.
   *
   * @param matched bits
   */
  #isLessFiltered(index: number, channels: 3 | 4, matched: number): boolean {
    const { rows: rgba, tried } = this.#at;
    const { width } = this.raster;
    const { from, to } = this.rowsOf(index);
    if (matched < 8 * SMALL * this.#lengthOf(index)) return false;
    const rowBytes = this.#rowLength + 1;
    let rows = 0;
    for (let y = from + (TRIED >> 1); y < to; y += TRIED) {
      this.#load(y - 1, y + 1, rgba);
      kernel.filterRows(rgba + 4 * width, width, 1, channels, tried.bytes + rows * rowBytes);
      rows++;
    }
    if (rows === 0) return false;
    kernel.findRuns(tried.bytes, rows * rowBytes, tried.tokens, tried.counts);
    return (kernel.chooseBlock(tried.counts) * (to - from)) / rows < matched;
  }

  /** Converts unfiltered rows to matches. Null when a pixel is not opaque. */
  #match(index: number): { readonly rows: number; readonly bits: number } | null {
    const { bytes, table, tokens, counts } = this.#at;
    const { from, to } = this.rowsOf(index);
    const rowBytes = this.#rowLength + 1;
    // The row above is in the stream unfiltered only if its band is a drawing too.
    const before = index > 0 && this.isDrawn(index - 1) ? 1 : 0;
    if (!this.#packUnfiltered(from - before, to)) return null;
    const rows = bytes + before * rowBytes;
    kernel.findMatches(bytes, rows, this.#lengthOf(index), rowBytes, this.#channels, table, tokens, counts);
    return { rows, bits: kernel.chooseBlock(counts) };
  }

  /**
   * Writes unfiltered rows to the kernel's memory, each after its filter byte. Returns false when a pixel is not
   * opaque.
   */
  #packUnfiltered(from: number, to: number): boolean {
    const { rows, bytes } = this.#at;
    const { width } = this.raster;
    const form = this.form;
    const stride = this.#rowLength + 1;
    this.#load(from, to, rows);
    new Uint8Array(kernel.memory.buffer)[bytes] = 0;
    // One of the zeros after each row is the filter byte of the next.
    if (form !== 'indices') return kernel.packRows(rows, width, to - from, CHANNELS[form], bytes + 1, stride) === 255;
    kernel.spreadRows(rows, width, to - from, bytes + 1, stride);
    return true;
  }

  /** Converts filtered rows to runs. Returns the address of the rows; null when a pixel is not opaque. */
  #filter(index: number, channels: 3 | 4): number | null {
    const { rows: rgba, bytes, tokens, counts } = this.#at;
    const { width } = this.raster;
    const { from, to } = this.rowsOf(index);
    const first = rgba + 4 * width;
    if (from > 0) this.#load(from - 1, to, rgba);
    else {
      new Uint8Array(kernel.memory.buffer).fill(0, rgba, first);
      this.#load(from, to, first);
    }
    if (kernel.filterRows(first, width, to - from, channels, bytes) !== 255) return null;
    kernel.findRuns(bytes, this.#lengthOf(index), tokens, counts);
    kernel.chooseBlock(counts);
    return bytes;
  }

  #load(from: number, to: number, place: number): void {
    const { buffer, byteOffset } = this.#pixels;
    const row = this.#pixelBytes * this.raster.width;
    copyBytes(new Uint8Array(buffer, byteOffset + row * from, row * (to - from)), kernel.memory, place);
  }
}
