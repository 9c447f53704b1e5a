// An opaque raster in, its RGB out: three bytes a pixel are what encoders want, and libvips takes longer to drop the
// fourth than to encode the rest.

import { ensureMemory, KERNEL_BASE, openKernel } from './kernel.ts';
import type { Raster } from './raster.ts';

/** Pixels that pass through the kernel at a time. */
const STEP = 16_384;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);

/** Memory of the last picture: fresh memory costs more, page by page, than what is written into it. */
let spare: Uint8Array<ArrayBuffer> | null = null;
/** Larger ones are garbage at once. */
const LARGEST_SPARE = 32 * 1024 * 1024;

/** RGB, row by row. */
export interface PackedPixels {
  readonly rgb: Uint8Array;
  /** Says that nobody reads `rgb` any more: the next picture is written there. */
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

function borrow(length: number): Uint8Array<ArrayBuffer> {
  if (spare?.length !== length) return new Uint8Array(length);
  const found = spare;
  spare = null;
  return found;
}

function giveBack(packed: Uint8Array<ArrayBuffer>): void {
  if (packed.length <= LARGEST_SPARE) spare = packed;
}
