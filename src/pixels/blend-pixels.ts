// Premultiplied pixels over others, src-over with every product rounded to the nearest, through the kernel.

import { ensureMemory, KERNEL_BASE, openKernel } from './kernel.ts';

/** Pixels that pass through the kernel at a time. */
const STEP = 8192;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);

/** Lays `length` pixels of `above`, from `from` on, over those of `below`, from `at` on. */
export function blendPixels(below: Uint32Array, at: number, above: Uint32Array, from: number, length: number): void {
  // A Buffer copies shared memory several times as fast as a typed array does.
  const target = Buffer.from(below.buffer, below.byteOffset + 4 * at, 4 * length);
  const source = Buffer.from(above.buffer, above.byteOffset + 4 * from, 4 * length);
  const memory = Buffer.from(kernel.memory.buffer, KERNEL_BASE, 8 * STEP);
  for (let done = 0; done < length; done += STEP) {
    const count = Math.min(STEP, length - done);
    const [start, end] = [4 * done, 4 * (done + count)];
    target.copy(memory, 0, start, end);
    source.copy(memory, 4 * STEP, start, end);
    kernel.blendOver(KERNEL_BASE, KERNEL_BASE + 4 * STEP, count);
    memory.copy(target, start, 0, end - start);
  }
}
