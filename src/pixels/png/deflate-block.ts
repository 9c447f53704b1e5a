// How often each symbol of a block occurs in, its codes out: written as deflate wants them (RFC 1951, §3.2.7), and as the
// table that the kernel writes tokens by.

import { codeLengths, codeTable } from './huffman.ts';

export const LITERAL_SYMBOLS = 286;
export const DISTANCE_SYMBOLS = 30;

/** The longest code that the kernel can write: four and what is left of a byte fit 64 bits. */
const LONGEST = 14;
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** How often each symbol of a block occurs. */
export interface SymbolCounts {
  /** By literal, then the end of the block, 256, then lengths. */
  readonly literals: Uint32Array;
  readonly distances: Uint32Array;
}

/** Code lengths by symbol, bits. */
export interface BlockCodes {
  readonly literalLengths: Uint8Array;
  readonly distanceLengths: Uint8Array;
}

export function chooseCodes({ literals, distances }: SymbolCounts): BlockCodes {
  return {
    literalLengths: codeLengths(literals, LONGEST),
    distanceLengths: codeLengths(distances, LONGEST),
  };
}

/** `length | code << 8` of literals and lengths, then of distances. */
export function codesForKernel({ literalLengths, distanceLengths }: BlockCodes): Int32Array {
  const table = new Int32Array(LITERAL_SYMBOLS + DISTANCE_SYMBOLS);
  table.set(codeTable(literalLengths));
  table.set(codeTable(distanceLengths), LITERAL_SYMBOLS);
  return table;
}

/** Bits go in from the lowest. */
class BitWriter {
  readonly #out: Uint8Array;
  #at: number;
  /** What does not fill a byte yet, and how many bits that is. */
  #bits = 0;
  #count = 0;

  constructor(out: Uint8Array, at: number) {
    this.#out = out;
    this.#at = at;
  }

  /** At most 24 bits. */
  put(value: number, count: number): void {
    this.#bits |= value << this.#count;
    this.#count += count;
    for (; this.#count >= 8; this.#count -= 8, this.#bits >>>= 8) this.#out[this.#at++] = this.#bits;
  }

  /** Returns how many bits `out` has now, the last of them in a byte that others go on with. */
  end(): number {
    this.#out[this.#at] = this.#bits;
    return 8 * this.#at + this.#count;
  }
}

/**
 * Writes the start of a block: its kind and its codes.
 *
 * @param at the byte to begin with
 * @returns where its tokens begin, in bits from the start of `out`
 */
export function writeBlockHead(out: Uint8Array, at: number, codes: BlockCodes, isLast: boolean): number {
  const literalCount = 1 + codes.literalLengths.findLastIndex((length) => length > 0);
  const distanceCount = 1 + codes.distanceLengths.findLastIndex((length) => length > 0);
  const codeLengthsTold = new Uint8Array(literalCount + distanceCount);
  codeLengthsTold.set(codes.literalLengths.subarray(0, literalCount));
  codeLengthsTold.set(codes.distanceLengths.subarray(0, distanceCount), literalCount);
  const symbols = runs(codeLengthsTold);
  const counts = new Uint32Array(19);
  for (const entry of symbols) counts[entry & 31] = (counts[entry & 31] ?? 0) + 1;
  const lengths = codeLengths(counts, 7);
  const table = codeTable(lengths);
  const told = 1 + LENGTH_ORDER.findLastIndex((symbol) => lengths[symbol] !== 0);

  const writer = new BitWriter(out, at);
  writer.put(isLast ? 1 : 0, 1);
  writer.put(2, 2);
  writer.put(literalCount - 257, 5);
  writer.put(distanceCount - 1, 5);
  writer.put(told - 4, 4);
  for (const symbol of LENGTH_ORDER.slice(0, told)) writer.put(lengths[symbol] ?? 0, 3);
  for (const entry of symbols) {
    const code = table[entry & 31] ?? 0;
    writer.put(code >> 8, code & 255);
    writer.put(entry >> 5, RUN_BITS[entry & 31] ?? 0);
  }
  return writer.end();
}

/** How many bits say the length of a run, by its symbol. */
const RUN_BITS = Uint8Array.from({ length: 19 }, (_, symbol) => [2, 3, 7][symbol - 16] ?? 0);

/** Code lengths as `symbol | bits that follow << 5`, with runs of them told by the symbols 16 to 18. */
function runs(lengths: Uint8Array): number[] {
  const symbols: number[] = [];
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] ?? 0;
    let run = 1;
    while (lengths[at + run] === length) run++;
    at += run;
    if (length !== 0) {
      symbols.push(length);
      run--;
    }
    while (run >= 3) {
      const part = Math.min(run, length === 0 ? 138 : 6);
      if (length !== 0) symbols.push(16 | ((part - 3) << 5));
      else if (part < 11) symbols.push(17 | ((part - 3) << 5));
      else symbols.push(18 | ((part - 11) << 5));
      run -= part;
    }
    for (; run > 0; run--) symbols.push(length);
  }
  return symbols;
}
