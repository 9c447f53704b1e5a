// An opaque raster in, its RGB out: three bytes a pixel are what encoders want, and libvips takes longer to drop the
// fourth than to encode the rest.

import { ensureMemory, KERNEL_BASE, openKernel } from './kernel.ts';
import type { Raster } from './raster.ts';

/** Pixels that pass through the kernel at a time. */
const STEP = 16_384;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);

/** RGB, row by row; null when some pixel is not opaque. */
export function packOpaque({ pixels }: Raster): Uint8Array | null {
  const memory = new Uint8Array(kernel.memory.buffer, KERNEL_BASE);
  const packed = new Uint8Array((pixels.length / 4) * 3);
  for (let at = 0; at < pixels.length; at += 4 * STEP) {
    const part = pixels.subarray(at, at + 4 * STEP);
    memory.set(part);
    if (kernel.packOpaque(KERNEL_BASE, part.length / 4, KERNEL_BASE + 4 * STEP) !== 255) return null;
    packed.set(memory.subarray(4 * STEP, 4 * STEP + (part.length / 4) * 3), (at / 4) * 3);
  }
  return packed;
}
