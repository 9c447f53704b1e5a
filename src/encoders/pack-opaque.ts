// Converts an opaque raster to RGB. Encoders need three bytes per pixel, and libvips takes longer to drop the fourth
// than to encode the rest.

import type { Raster } from '#images/raster.ts';
import { ensureMemory, KERNEL_BASE, openKernel } from './png/kernels.ts';

/** Pixels that the kernel converts at a time. */
const STEP = 16_384;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);

/** Buffers of earlier pictures, the smallest first: page-faulting fresh memory in costs more than writing it. */
const spares: ArrayBuffer[] = [];
/** Most bytes of these buffers. */
const MOST_SPARE = 32 * 1024 * 1024;

/** RGB, row by row. */
export interface PackedPixels {
  readonly rgb: Uint8Array;
  /** Releases the memory of `rgb`, which must not be read afterwards. */
  release(): void;
}

/** @returns null when some pixel is not opaque */
export function packOpaque({ pixels }: Raster): PackedPixels | null {
  const memory = new Uint8Array(kernel.memory.buffer, KERNEL_BASE);
  const packed = borrow((pixels.length / 4) * 3);
  for (let at = 0; at < pixels.length; at += 4 * STEP) {
    const part = pixels.subarray(at, at + 4 * STEP);
    memory.set(part);
    if (kernel.packOpaque(KERNEL_BASE, part.length / 4, KERNEL_BASE + 4 * STEP) !== 255) return null;
    packed.set(memory.subarray(4 * STEP, 4 * STEP + (part.length / 4) * 3), (at / 4) * 3);
  }
  return { rgb: packed, release: () => giveBack(packed) };
}

/** Takes the smallest buffer that fits, also a larger one, because pictures of several sizes may alternate. */
function borrow(length: number): Uint8Array<ArrayBuffer> {
  const fitting = spares.findIndex((spare) => spare.byteLength >= length);
  const [found] = fitting < 0 ? [] : spares.splice(fitting, 1);
  return new Uint8Array(found ?? new ArrayBuffer(length), 0, length);
}

function giveBack({ buffer }: Uint8Array<ArrayBuffer>): void {
  spares.push(buffer);
  spares.sort((a, b) => a.byteLength - b.byteLength);
  let total = spares.reduce((sum, { byteLength }) => sum + byteLength, 0);
  while (total > MOST_SPARE) total -= spares.shift()?.byteLength ?? 0;
}
