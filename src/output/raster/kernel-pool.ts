// Kernels with their memories, lent to one painter at a time: a picture is painted in slices, and others in between.
//
// The memory of WebAssembly never shrinks. One that has grown large is let go of, so that what waits stays small.

import { loadWasm } from '#platform/load-wasm.ts';
import { instantiateKernels, type Kernels } from './kernels.ts';

/** Bytes of a memory that waits, and how many wait, at most. */
const LARGEST_KEPT = 48 * 1024 * 1024;
const MOST_KEPT = 2;

let compiled: WebAssembly.Module | null = null;
const free: Kernels[] = [];

export function borrowKernels(): Kernels {
  compiled ??= loadWasm('output/raster/kernels.wasm');
  return free.pop() ?? instantiateKernels(compiled);
}

/** Gives kernels back; nothing in their memory may be read again. */
export function returnKernels(kernels: Kernels): void {
  if (free.length < MOST_KEPT && kernels.memory.buffer.byteLength <= LARGEST_KEPT) free.push(kernels);
}

/** Bytes of memories that wait. */
export function freeKernelBytes(): number {
  return free.reduce((sum, { memory }) => sum + memory.buffer.byteLength, 0);
}
