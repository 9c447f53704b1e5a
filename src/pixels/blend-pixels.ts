// Premultiplied pixels over others, src-over with every product rounded to the nearest, through the kernel.

import { ensureMemory, KERNEL_BASE, openKernel } from './kernel.ts';

/** Pixels that pass through the kernel at a time. */
const STEP = 8192;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);

/** Lays `length` pixels of `above`, from `from` on, over those of `below`, from `at` on. */
export function blendPixels(below: Uint32Array, at: number, above: Uint32Array, from: number, length: number): void {
  const memory = new Uint32Array(kernel.memory.buffer, KERNEL_BASE, 2 * STEP);
  for (let done = 0; done < length; done += STEP) {
    const count = Math.min(STEP, length - done);
    memory.set(below.subarray(at + done, at + done + count));
    memory.set(above.subarray(from + done, from + done + count), STEP);
    kernel.blendOver(KERNEL_BASE, KERNEL_BASE + 4 * STEP, count);
    below.set(memory.subarray(0, count), at + done);
  }
}
