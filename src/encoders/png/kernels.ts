// The PNG encoder's kernels with their types, and their memory. Addresses are bytes from its start.

import { loadWasm } from '#platform/load-wasm.ts';

interface KernelFunctions {
  /** RGBA of opaque pixels → RGB. Returns 255 when every pixel was opaque. */
  packOpaque(rgba: number, count: number, row: number): number;
  /** Rows of RGBA → rows of RGB or straight RGBA, zeros behind each. Returns 255, less when a pixel to be opaque is not. */
  packRows(rgba: number, width: number, rows: number, channels: 3 | 4, to: number, stride: number): number;
  adler32(sum: number, bytes: number, length: number): number;
  /** Returns how many bytes no match covers. */
  findMatches(
    bytes: number,
    from: number,
    length: number,
    rowLength: number,
    pixel: 3 | 4,
    table: number,
    tokens: number,
    counts: number,
  ): number;
  /** Tells bytes as tokens, matches wherever something repeats. `shift` is 32 less the bits of a hash. */
  findRepeats(
    bytes: number,
    length: number,
    shift: number,
    heads: number,
    links: number,
    tokens: number,
    counts: number,
  ): void;
  /** Chooses a prefix code: u32 by symbol, counts before, `length | code << 8` afterwards, first bit lowest. */
  chooseCodes(table: number, symbols: number, longest: number): void;
  /** Writes tokens as a deflate block that ends with a byte, and its codes over the counts. Returns its bytes. */
  writeBlock(tokens: number, literals: number, counts: number, out: number, isLast: boolean): number;
  /** Rows of RGBA, behind the one above them, filtered. Returns 255, less when a pixel to be opaque is not. */
  filterRows(rgba: number, width: number, rows: number, channels: 3 | 4, bytes: number): number;
  /** Tells filtered rows as tokens, runs as matches. */
  findRuns(bytes: number, length: number, tokens: number, counts: number): void;
}

export interface Kernel extends KernelFunctions {
  readonly memory: WebAssembly.Memory;
}

/** Bytes at the bottom of the memory that are the kernel's own. */
export const KERNEL_BASE = 65_536;
const PAGE = 65_536;

const module = loadWasm('encoders/png/kernels.wasm');

/** A kernel with at least so many bytes of memory above its base. */
export function openKernel(): Kernel {
  return new WebAssembly.Instance(module).exports as unknown as Kernel;
}

/** Makes room for `bytes` above the base. Views of the memory are invalid afterwards. */
export function ensureMemory({ memory }: Kernel, bytes: number): void {
  const missing = KERNEL_BASE + bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
}
