// Prefix codes (Huffman codes) of a WebP lossless stream (RFC 9649, section 3.7.2): made from counts, and written.

import type { BitWriter } from './bit-writer.ts';

/** Longest code that the format allows, bits. */
const MOST_BITS = 15;
/** The order in which the lengths of the codes of code lengths are written. */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

export class PrefixCode {
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
