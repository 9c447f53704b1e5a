// The types and memory of the PNG encoder's WebAssembly kernels. Addresses are bytes from the start of the memory.

import { loadWasm } from '#draw/platform/load-wasm.ts';

/** Bytes of a pixel in the file: an index, RGB or RGBA. */
export type Channels = 1 | 3 | 4;

interface KernelFunctions {
  /** RGBA of opaque pixels → RGB. Returns 255 when every pixel was opaque. */
  packOpaque(rgba: number, count: number, row: number): number;
  /**
   * Rows of RGBA → rows of RGB or straight RGBA, followed by zeros. Returns 255, or less when 3 channels are asked for
   * and a pixel is not opaque.
   */
  packRows(rgba: number, width: number, rows: number, channels: 3 | 4, to: number, stride: number): number;
  /**
   * RGBA → indices of the colours, which are added to a palette's hash table. Returns how many it has, or 257 when there
   * are more.
   */
  indexColors(rgba: number, count: number, slots: number, found: number, to: number): number;
  /** Rows of indices → the same followed by zeros. */
  spreadRows(indices: number, width: number, rows: number, to: number, stride: number): void;
  adler32(sum: number, bytes: number, length: number): number;
  /** Returns the number of bytes that no match covers. */
  findMatches(
    bytes: number,
    from: number,
    length: number,
    rowLength: number,
    pixel: Channels,
    table: number,
    tokens: number,
    counts: number,
  ): number;
  /**
   * Converts bytes to tokens, with matches wherever something repeats. `shift` is 32 minus the bits of a hash. A search of
   * more `effort`, 0 to 2, finds longer matches.
   */
  findRepeats(
    bytes: number,
    length: number,
    shift: number,
    effort: number,
    heads: number,
    links: number,
    tokens: number,
    counts: number,
  ): void;
  /**
   * Chooses a prefix code. `table` is u32 by symbol: counts before, `length | code << 8` afterwards, first bit lowest.
   */
  chooseCodes(table: number, symbols: number, longest: number): void;
  /**
   * Chooses the codes of a deflate block, which replace the counts of its symbols. Returns the bits that its tokens take
   * with them.
   */
  chooseBlock(counts: number): number;
  /**
   * Writes tokens as a deflate block that ends on a byte boundary, with the codes that were chosen. Returns its size in
   * bytes.
   */
  writeBlock(tokens: number, literals: number, codes: number, out: number, isLast: boolean): number;
  /**
   * Filters rows of RGBA, which follow the row above them. Returns 255, or less when 3 channels are asked for and a
   * pixel is not opaque.
   */
  filterRows(rgba: number, width: number, rows: number, channels: 3 | 4, bytes: number): number;
  /** Converts filtered rows to tokens, with runs as matches. */
  findRuns(bytes: number, length: number, tokens: number, counts: number): void;
}

export interface Kernel extends KernelFunctions {
  readonly memory: WebAssembly.Memory;
}

/** Bytes at the start of the memory that the kernel itself uses. */
export const KERNEL_BASE = 65_536;
const PAGE = 65_536;

const module = loadWasm('draw/encoders/png/kernels.wasm');

/** Instantiates the kernels; `ensureMemory` gives them memory. */
export function openKernel(): Kernel {
  return new WebAssembly.Instance(module).exports as unknown as Kernel;
}

/** Grows the memory to at least `bytes` above the base. Views of the memory are invalid afterwards. */
export function ensureMemory({ memory }: Kernel, bytes: number): void {
  const missing = KERNEL_BASE + bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}
