// Finds the colours of a picture that has at most 256. Its PNG then stores one byte per pixel, an index: drawings in few
// colours take half the bytes and a third of the time (PNG 3, §11.2.2).

import type { Palette } from '#images/raster.ts';
import { copyBytes } from '#platform/copy-bytes.ts';
import { ensureMemory, KERNEL_BASE, openKernel } from './kernels.ts';

// Constants of the same names in kernels/.
const SLOTS = 1024;
/** Most colours of a palette; `addColors` returns one more as soon as there are more. */
export const MOST_COLORS = 256;

/** Pixels that are searched at once. */
const STRETCH = 65_536;

/** Bytes of a palette's hash table. */
export const SLOTS_BYTES = 8 * SLOTS;

const PIXELS_AT = KERNEL_BASE + SLOTS_BYTES;

const kernel = openKernel();

/**
 * Searches a picture in steps of some microseconds, between which a caller may pause.
 *
 * @param pixels premultiplied RGBA
 * @returns null as soon as there are more colours than a palette can hold
 */
export function* findPalette(pixels: Uint8Array): Generator<undefined, Palette | null> {
  ensureMemory(kernel, SLOTS_BYTES + 4 * STRETCH);
  const slots = new Uint8Array(SLOTS_BYTES);
  let found = 0;
  for (let at = 0; at < pixels.length; at += 4 * STRETCH) {
    const stretch = pixels.subarray(at, at + 4 * STRETCH);
    // Another search may have used the memory since the step before.
    copyBytes(slots, kernel.memory, KERNEL_BASE);
    copyBytes(stretch, kernel.memory, PIXELS_AT);
    found = kernel.addColors(PIXELS_AT, stretch.length / 4, KERNEL_BASE, found);
    if (found > MOST_COLORS) return null;
    slots.set(new Uint8Array(kernel.memory.buffer, KERNEL_BASE, SLOTS_BYTES));
    yield;
  }
  return paletteOf(slots, found);
}

/** @param slots a table of that many colours, in a buffer of its own */
export function paletteOf(slots: Uint8Array, count: number): Palette {
  const pairs = new Uint32Array(slots.buffer);
  const colors = new Uint32Array(count);
  for (let i = 0; i < pairs.length; i += 2) {
    const index = pairs[i + 1] ?? 0;
    if (index > 0) colors[index - 1] = pairs[i] ?? 0;
  }
  return { colors, slots };
}
