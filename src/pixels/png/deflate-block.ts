// How often each symbol of a block occurs in, its codes out: written as deflate wants them (RFC 1951, §3.2.7), and as the
// table that the kernel writes tokens by.

import { codeLengths, codeTable } from './huffman.ts';

export const LITERAL_SYMBOLS = 286;
export const DISTANCE_SYMBOLS = 30;
export const END_OF_BLOCK = 256;

/** The longest code that the kernel can write: four and what is left of a byte fit 64 bits. */
const LONGEST = 14;
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** How often each symbol of a block occurs. */
export interface SymbolCounts {
  /** By literal, then END_OF_BLOCK, then lengths. */
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
export class BitWriter {
  readonly #out: Uint8Array;
  /** In bits from the start. */
  position: number;

  constructor(out: Uint8Array, position: number) {
    this.#out = out;
    this.position = position;
  }

  /** At most 24 bits. */
  put(value: number, count: number): void {
    for (let left = count, rest = value; left > 0; ) {
      const at = this.position >> 3;
      const used = this.position & 7;
      const taken = Math.min(left, 8 - used);
      const kept = used === 0 ? 0 : (this.#out[at] ?? 0) & ((1 << used) - 1);
      this.#out[at] = kept | ((rest & ((1 << taken) - 1)) << used);
      rest >>= taken;
      left -= taken;
      this.position += taken;
    }
  }

  /** Pads with zeros to a whole byte, and returns the number of it. */
  align(): number {
    this.put(0, -this.position & 7);
    return this.position >> 3;
  }
}

/** Writes the start of a block: its kind and its codes. */
export function writeBlockHead(writer: BitWriter, codes: BlockCodes, last: boolean): void {
  const literalCount = 1 + codes.literalLengths.findLastIndex((length) => length > 0);
  const distanceCount = 1 + codes.distanceLengths.findLastIndex((length) => length > 0);
  const symbols = runs([
    ...codes.literalLengths.subarray(0, literalCount),
    ...codes.distanceLengths.subarray(0, distanceCount),
  ]);
  const counts = new Uint32Array(19);
  for (const { symbol } of symbols) counts[symbol] = (counts[symbol] ?? 0) + 1;
  const lengths = codeLengths(counts, 7);
  const table = codeTable(lengths);
  const told = 1 + LENGTH_ORDER.findLastIndex((symbol) => lengths[symbol] !== 0);

  writer.put(last ? 1 : 0, 1);
  writer.put(2, 2);
  writer.put(literalCount - 257, 5);
  writer.put(distanceCount - 1, 5);
  writer.put(told - 4, 4);
  for (const symbol of LENGTH_ORDER.slice(0, told)) writer.put(lengths[symbol] ?? 0, 3);
  for (const { symbol, extra, bits } of symbols) {
    const entry = table[symbol] ?? 0;
    writer.put(entry >> 8, entry & 255);
    writer.put(extra, bits);
  }
}

interface LengthSymbol {
  readonly symbol: number;
  readonly extra: number;
  readonly bits: number;
}

/** Code lengths, with runs of them told by the symbols 16 to 18. */
function runs(lengths: readonly number[]): LengthSymbol[] {
  const symbols: LengthSymbol[] = [];
  const add = (symbol: number, extra = 0, bits = 0) => symbols.push({ symbol, extra, bits });
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] ?? 0;
    let run = 1;
    while (lengths[at + run] === length) run++;
    at += run;
    if (length !== 0) {
      add(length);
      run--;
    }
    while (run >= 3) {
      const part = Math.min(run, length === 0 ? 138 : 6);
      if (length !== 0) add(16, part - 3, 2);
      else if (part < 11) add(17, part - 3, 3);
      else add(18, part - 11, 7);
      run -= part;
    }
    for (; run > 0; run--) add(length);
  }
  return symbols;
}
