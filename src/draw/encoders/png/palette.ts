// Indexes the colours of a picture that has at most 256. Its PNG then stores one byte per pixel: drawings in few colours
// take half the bytes and a third of the time (PNG 3, §11.2.2).

import { copyBytes } from '#base/runtime.ts';
import { borrowPixels, returnPixels } from '#draw/images/pixel-pool.ts';
import type { IndexedRaster, Raster } from '#draw/images/raster.ts';
import { ensureMemory, KERNEL_BASE, type Kernel, openKernel } from './kernels.ts';

// Constants of the same names in kernels/.
const SLOTS = 1024;
const MOST_COLORS = 256;

/** Pixels that are indexed at once. */
const STRETCH = 65_536;

/** Bytes of the hash table from colours to indices. */
const SLOTS_BYTES = 8 * SLOTS;
/** Extra bytes, because the kernel writes sixteen at a time. */
const MARGIN = 16;

/** The colours of a picture, in order of appearance, while its pixels are indexed. */
export class ColorTable {
  readonly #slots = new Uint8Array(SLOTS_BYTES);
  #found = 0;

  /** Bytes of scratch memory that `index` needs. */
  static scratch(count: number): number {
    return SLOTS_BYTES + count + MARGIN;
  }

  /**
   * Writes the index of each pixel's colour.
   *
   * @param rgba address of as many pixels as there are `indices`
   * @param scratch address of `ColorTable.scratch` bytes
   * @returns false as soon as there are more colours than a palette can hold; `colors` are then those before
   */
  index(
    { memory, indexColors }: Pick<Kernel, 'memory' | 'indexColors'>,
    rgba: number,
    scratch: number,
    indices: Uint8Array,
  ): boolean {
    const bytes = new Uint8Array(memory.buffer, scratch, ColorTable.scratch(indices.length));
    bytes.set(this.#slots);
    const found = indexColors(rgba, indices.length, scratch, this.#found, scratch + SLOTS_BYTES);
    if (found > MOST_COLORS) return false;
    if (found > this.#found) this.#slots.set(bytes.subarray(0, SLOTS_BYTES));
    this.#found = found;
    indices.set(bytes.subarray(SLOTS_BYTES, SLOTS_BYTES + indices.length));
    return true;
  }

  /** Premultiplied RGBA, red lowest. */
  get colors(): Uint32Array {
    const pairs = new Uint32Array(this.#slots.buffer);
    const colors = new Uint32Array(this.#found);
    for (let i = 0; i < pairs.length; i += 2) {
      const index = pairs[i + 1] ?? 0;
      if (index > 0) colors[index - 1] = pairs[i] ?? 0;
    }
    return colors;
  }
}

const PIXELS_AT = KERNEL_BASE + ColorTable.scratch(STRETCH);

const kernel = openKernel();

/**
 * Indexes a picture in steps of some microseconds, between which a caller may pause.
 *
 * @returns its indices in borrowed memory; null as soon as there are more colours than a palette can hold
 */
export function* indexRaster({ width, height, pixels }: Raster): Generator<undefined, IndexedRaster | null> {
  ensureMemory(kernel, PIXELS_AT - KERNEL_BASE + 4 * STRETCH);
  const table = new ColorTable();
  const indices = borrowPixels(width * height);
  for (let at = 0; at < indices.length; at += STRETCH) {
    // Another search may have used the memory since the step before.
    copyBytes(pixels.subarray(4 * at, 4 * (at + STRETCH)), kernel.memory, PIXELS_AT);
    if (!table.index(kernel, PIXELS_AT, KERNEL_BASE, indices.subarray(at, at + STRETCH))) {
      returnPixels(indices);
      return null;
    }
    yield;
  }
  return { width, height, colors: table.colors, indices };
}
