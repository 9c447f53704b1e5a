// Pools kernel instances with their memories. Each is used by one painter at a time, because a picture is painted in
// slices with other pictures in between.
//
// WebAssembly memory never shrinks, so an instance whose memory has grown large is dropped, and idle memory stays
// small.

import { loadWasm } from '#draw/platform/load-wasm.ts';
import { instantiateKernels, type Kernels } from './kernels.ts';

/** Largest memory of an idle instance, and most bytes of several: two for 1200 × 630, one for 1080 × 1920. */
const LARGEST_KEPT = 48 * 1024 * 1024;
const MOST_KEPT = 20 * 1024 * 1024;

let compiled: WebAssembly.Module | null = null;
const free: Kernels[] = [];

export function borrowKernels(): Kernels {
  compiled ??= loadWasm('draw/output/raster/kernels.wasm');
  return free.pop() ?? instantiateKernels(compiled);
}

/** Returns kernels to the pool; their memory must not be read afterwards. */
export function returnKernels(kernels: Kernels): void {
  const most = free.length === 0 ? LARGEST_KEPT : MOST_KEPT - freeKernelBytes();
  if (kernels.memory.buffer.byteLength <= most) free.push(kernels);
}

/** Bytes of the idle instances' memories. */
export function freeKernelBytes(): number {
  return free.reduce((sum, { memory }) => sum + memory.buffer.byteLength, 0);
}
