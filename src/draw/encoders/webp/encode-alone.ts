// Encodes a raster as lossy WebP on one thread, row by row, so that little memory beyond its pixels and its file is needed.
//
// Each encoder is a generator of short steps.

import type { Raster } from '#draw/images/raster.ts';
import { newBorders } from './borders.ts';
import { inContainer, inContainerWithAlpha } from './container.ts';
import { FrameCoder } from './frame-coder.ts';
import { quantizerOf } from './quantizer.ts';
import { type CopyRows, type DecidedRow, macroblocks, RowDecider } from './row-decider.ts';

/** Most bytes of decisions that are kept: those of a photo of some ten million pixels. */
const MOST_KEPT = 24 * 1024 * 1024;

type Encoding = Generator<undefined, Uint8Array | null>;

/**
 * @param quality 1 to 100, on libwebp's scale
 * @returns null when a pixel is not opaque, or the picture is more than one VP8 frame can hold
 */
export function* encodeOpaque(raster: Raster, quality: number): Encoding {
  const frame = yield* decideAndCode(raster, quality);
  return frame && inContainer(frame);
}

/** @returns null when the picture is more than one VP8 frame can hold */
export function* encodeWithAlpha(raster: Raster, quality: number): Encoding {
  const frame = yield* decideAndCode(raster, quality, copyColors);
  return frame && inContainerWithAlpha(frame, yield* encodeAlpha(raster), raster);
}

function* decideAndCode(raster: Raster, quality: number, copyRows?: CopyRows): Encoding {
  const borders = newBorders(macroblocks(raster.width), macroblocks(raster.height), ArrayBuffer);
  const decider = new RowDecider(raster, quality, borders, copyRows);
  let coder: FrameCoder | null = null;
  let kept: DecidedRow[] = [];
  let bytes = 0;
  for (let y = 0; y < decider.count; y++) {
    // This thread has made the row above itself, so there is never a wait.
    const row = decider.decide(y).next().value as DecidedRow | null;
    if (!row) {
      decider.release();
      return null;
    }
    kept.push(row);
    bytes += row.decisions.length;
    yield;
    if (bytes < MOST_KEPT && y < decider.count - 1) continue;
    coder ??= new FrameCoder(raster, quantizerOf(quality));
    yield* coder.code(kept, decider.counts);
    kept = [];
    bytes = 0;
  }
  decider.release();
  return coder?.finish() ?? null;
}

// Copies the colours of pixels without their alpha, which lossy WebP stores separately.

/**
 * Writes the colours of premultiplied pixels as opaque pixels. Where nothing shows, the colour before is repeated,
 * which takes the fewest bits.
 */
function copyColors(pixels: Uint8Array, colors: Uint8Array): void {
  let [red, green, blue] = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha > 0) {
      red = unpremultiplied(pixels[at] ?? 0, alpha);
      green = unpremultiplied(pixels[at + 1] ?? 0, alpha);
      blue = unpremultiplied(pixels[at + 2] ?? 0, alpha);
    }
    colors[at] = red;
    colors[at + 1] = green;
    colors[at + 2] = blue;
    colors[at + 3] = 255;
  }
}

function unpremultiplied(value: number, alpha: number): number {
  return alpha === 255 ? value : Math.min(255, ((255 * value + (alpha >> 1)) / alpha) | 0);
}

// Encodes the alpha of a raster without loss, as the ALPH chunk of a WebP file (RFC 9649, section 2.7.1.2).
//
// Each row is predicted from its neighbours, and what remains is written as literals and as copies of the row above or
// of the pixel before. It is gone through twice, once to count and once to write, so that nothing but two rows is held.

/** Ways to predict a value, by their numbers in the file. */
const FILTERS = ['none', 'horizontal', 'vertical', 'gradient'] as const;
type Filter = (typeof FILTERS)[number];

/** Rows on which the filter is chosen. */
const SAMPLED_ROWS = 64;
/** Lengths of copies: shorter ones cost more than literals, longer ones cannot be written. */
const LEAST_COPY = 4;
const MOST_COPY = 4096;
/** Symbols of a stream: 256 literals and 24 lengths; and how many distances there are. */
const SYMBOLS = 256 + 24;
const DISTANCES = 40;
/** The symbols of the distances: the row above, and the pixel before. */
const ABOVE = 0;
const BEFORE = 1;
/** Lossless compression, in the first byte of the chunk. */
const LOSSLESS = 1;

interface Sink {
  literal(value: number): void;
  copy(length: number, distance: number): void;
}

/** Returns the content of the chunk; yields between rows. */
function* encodeAlpha(raster: Raster): Generator<undefined, Uint8Array> {
  const filter = bestFilter(raster);
  const symbols = new Uint32Array(SYMBOLS);
  const distances = new Uint32Array(DISTANCES);
  const count = (counts: Uint32Array, symbol: number) => {
    counts[symbol] = (counts[symbol] ?? 0) + 1;
  };
  yield* scan(raster, filter, {
    literal: (value) => count(symbols, value),
    copy: (length, distance) => {
      count(symbols, 256 + lengthPrefix(length).symbol);
      count(distances, distance);
    },
  });

  const out = new BitWriter();
  out.write(LOSSLESS | (FILTERS.indexOf(filter) << 2), 8);
  // No transform, no colour cache, one group of codes; values are in the green channel, and the others are 0.
  out.write(0, 3);
  const code = new PrefixCode(symbols);
  const unused = new PrefixCode(new Uint32Array(256));
  const distanceCode = new PrefixCode(distances);
  for (const each of [code, unused, unused, unused, distanceCode]) each.writeTo(out);
  yield* scan(raster, filter, {
    literal: (value) => code.writeSymbol(out, value),
    copy: (length, distance) => {
      const { symbol, extra, bits } = lengthPrefix(length);
      code.writeSymbol(out, 256 + symbol);
      out.write(extra, bits);
      distanceCode.writeSymbol(out, distance);
    },
  });
  return out.finish();
}

/** The prefix of a length, and the bits that follow it (RFC 9649, section 3.6.2.2). */
function lengthPrefix(length: number): { symbol: number; extra: number; bits: number } {
  const value = length - 1;
  if (value < 4) return { symbol: value, extra: 0, bits: 0 };
  const highest = 31 - Math.clz32(value);
  const bits = highest - 1;
  return { symbol: 2 * highest + ((value >> bits) & 1), extra: value & ((1 << bits) - 1), bits };
}

function* scan(raster: Raster, filter: Filter, sink: Sink): Generator<undefined, void> {
  let above = new Uint8Array(raster.width);
  let row = new Uint8Array(raster.width);
  for (let y = 0; y < raster.height; y++) {
    predictRow(raster, y, filter, row);
    scanRow(row, y === 0 ? null : above, sink);
    [above, row] = [row, above];
    yield;
  }
}

/** Takes the longer one of the two copies at each place, or else a literal. No copy goes past the end of its row. */
function scanRow(row: Uint8Array, above: Uint8Array | null, sink: Sink): void {
  for (let x = 0; x < row.length; ) {
    const most = Math.min(MOST_COPY, row.length - x);
    let [before, over] = [0, 0];
    if (x > 0) while (before < most && row[x + before] === row[x - 1]) before += 1;
    if (above) while (over < most && row[x + over] === above[x + over]) over += 1;
    const length = Math.max(before, over);
    if (length < LEAST_COPY) sink.literal(row[x++] ?? 0);
    else {
      sink.copy(length, over >= before ? ABOVE : BEFORE);
      x += length;
    }
  }
}

/** Writes what a row's values differ from their predictions, modulo 256. */
function predictRow({ width, pixels }: Raster, y: number, filter: Filter, row: Uint8Array): void {
  const start = 4 * width * y + 3;
  const overStart = start - 4 * width;
  // The first row is predicted from the left, and the first value of others from above, unless there is no prediction.
  const isFirst = y === 0;
  let left = 0;
  let corner = 0;
  for (let x = 0; x < width; x++) {
    const value = pixels[start + 4 * x] ?? 0;
    const over = isFirst ? 0 : (pixels[overStart + 4 * x] ?? 0);
    let predicted = 0;
    if (filter !== 'none') {
      if (isFirst) predicted = left;
      else if (x === 0 || filter === 'vertical') predicted = over;
      else if (filter === 'horizontal') predicted = left;
      else predicted = Math.min(255, Math.max(0, left + over - corner));
    }
    row[x] = value - predicted;
    left = value;
    corner = over;
  }
}

/** The filter after which some rows have the least entropy. */
function bestFilter(raster: Raster): Filter {
  const step = Math.max(1, Math.floor(raster.height / SAMPLED_ROWS));
  const row = new Uint8Array(raster.width);
  let best: Filter = 'none';
  let least = Number.POSITIVE_INFINITY;
  for (const filter of FILTERS) {
    const counts = new Uint32Array(256);
    for (let y = step >> 1; y < raster.height; y += step) {
      predictRow(raster, y, filter, row);
      for (const value of row) counts[value] = (counts[value] ?? 0) + 1;
    }
    const bits = entropy(counts);
    if (bits >= least) continue;
    best = filter;
    least = bits;
  }
  return best;
}

/** Bits that values with these counts take together. */
function entropy(counts: Uint32Array): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((bits, count) => bits - (count && count * Math.log2(count / all)), 0);
}

// Prefix codes (Huffman codes) of a WebP lossless stream (RFC 9649, section 3.7.2): made from counts, and written.

/** Longest code that the format allows, bits. */
const MOST_BITS = 15;
/** The order in which the lengths of the codes of code lengths are written. */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

class PrefixCode {
  /** Lengths in bits, by symbol; 0 where a symbol is not used. */
  readonly #lengths: Uint8Array;
  /** Codes with the first bit lowest, by symbol. */
  readonly #codes: Uint16Array;
  /** The only symbol, which takes no bits; null when there are several. */
  readonly #only: number | null;

  /** @param counts of each symbol; a symbol that is used alone must be below 256 */
  constructor(counts: Uint32Array) {
    const used = [...counts.keys()].filter((symbol) => counts[symbol]);
    this.#only = used.length < 2 ? (used[0] ?? 0) : null;
    this.#lengths = this.#only === null ? codeLengths(counts) : new Uint8Array(counts.length);
    this.#codes = canonicalCodes(this.#lengths);
  }

  /** Writes the code itself. */
  writeTo(out: BitWriter): void {
    if (this.#only !== null) {
      // A simple code: of one symbol, which has eight bits.
      out.write(0b101, 3);
      out.write(this.#only, 8);
      return;
    }
    out.write(0, 1);
    // Lengths of 0 to 15 take four bits each: a better code would save some fifty bytes.
    out.write(LENGTH_ORDER.length - 4, 4);
    for (const length of LENGTH_ORDER) out.write(length > MOST_BITS ? 0 : 4, 3);
    // A length for every symbol follows.
    out.write(0, 1);
    for (const length of this.#lengths) out.write(reversed(length, 4), 4);
  }

  writeSymbol(out: BitWriter, symbol: number): void {
    out.write(this.#codes[symbol] ?? 0, this.#lengths[symbol] ?? 0);
  }
}

interface Tree {
  readonly count: number;
  readonly symbols: readonly number[];
}

/** Huffman's lengths; rare symbols are counted as less rare until no code is too long. */
function codeLengths(counts: Uint32Array): Uint8Array {
  for (let least = 1; ; least *= 2) {
    const lengths = new Uint8Array(counts.length);
    let trees: Tree[] = [];
    for (const [symbol, count] of counts.entries()) {
      if (count > 0) trees.push({ count: Math.max(count, least), symbols: [symbol] });
    }
    while (trees.length > 1) {
      trees = trees.toSorted((a, b) => a.count - b.count);
      const [first, second] = trees.splice(0, 2) as [Tree, Tree];
      const symbols = [...first.symbols, ...second.symbols];
      for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
      trees.push({ count: first.count + second.count, symbols });
    }
    if (lengths.every((length) => length <= MOST_BITS)) return lengths;
  }
}

/** Codes in the order of their lengths, then of their symbols. */
function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= MOST_BITS; length++) {
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) codes[symbol] = reversed(code++, length);
    }
    code <<= 1;
  }
  return codes;
}

function reversed(value: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result |= ((value >> bit) & 1) << (bits - 1 - bit);
  return result;
}

// A bit stream, lowest bit first, as in a WebP lossless stream (RFC 9649, section 3.2).

class BitWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #held = 0;
  #heldBits = 0;

  /** @param bits 0 to 24 */
  write(value: number, bits: number): void {
    this.#held |= value << this.#heldBits;
    this.#heldBits += bits;
    while (this.#heldBits >= 8) {
      this.#append(this.#held & 255);
      this.#held >>>= 8;
      this.#heldBits -= 8;
    }
  }

  /** The bytes written; the last one is filled up with zeros. Nothing may be written afterwards. */
  finish(): Uint8Array {
    if (this.#heldBits > 0) this.#append(this.#held);
    this.#held = 0;
    this.#heldBits = 0;
    return this.#bytes.subarray(0, this.#length);
  }

  #append(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}
