// Converts an opaque raster to RGB. Encoders need three bytes per pixel, and libvips takes longer to drop the fourth
// than to encode the rest.

import { borrowPixels, returnPixels } from '#draw/images/pixel-pool.ts';
import type { Raster } from '#draw/images/raster.ts';
import { ensureMemory, KERNEL_BASE, openKernel } from './png/kernels.ts';

/** Pixels that the kernel converts at a time. */
const STEP = 16_384;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);

/** RGB, row by row. */
export interface PackedPixels {
  readonly rgb: Uint8Array;
  /** Releases the memory of `rgb`, which must not be read afterwards. */
  release(): void;
}

/** @returns null when some pixel is not opaque */
export function packOpaque({ pixels }: Raster): PackedPixels | null {
  const memory = new Uint8Array(kernel.memory.buffer, KERNEL_BASE);
  const packed = borrowPixels((pixels.length / 4) * 3);
  for (let at = 0; at < pixels.length; at += 4 * STEP) {
    const part = pixels.subarray(at, at + 4 * STEP);
    memory.set(part);
    if (kernel.packOpaque(KERNEL_BASE, part.length / 4, KERNEL_BASE + 4 * STEP) !== 255) {
      returnPixels(packed);
      return null;
    }
    packed.set(memory.subarray(4 * STEP, 4 * STEP + (part.length / 4) * 3), (at / 4) * 3);
  }
  return { rgb: packed, release: () => returnPixels(packed) };
}
