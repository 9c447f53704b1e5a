// Copies a picture out of the painter's memory for a PNG: as indices while it has at most 256 colours, then as RGBA.
//
// Most drawings have few colours. Their rows are indexed while they are in the processor's cache, and the encoder reads
// a quarter of the bytes.

import type { Size } from '#core/geometry.ts';
import { ColorTable } from '#draw/encoders/png/palette.ts';
import { areShareable, borrowPixels, returnPixels } from '#draw/images/pixel-pool.ts';
import type { IndexedRaster, Raster } from '#draw/images/raster.ts';
import { addressIn, type PaintMemory, type Surface } from './paint-memory.ts';

export class FewColors {
  readonly #size: Size;
  readonly #table = new ColorTable();
  #indices: Uint8Array | null;
  /**
   * Its last quarter holds the indices until they are spelled out, so that a picture borrows memory once: what it
   * would borrow besides is as large as other pictures. Indices that alone can be shared between threads are apart.
   */
  #pixels: Uint8Array | null;
  /** Pixels up to the end of the lowest row of which any was indexed. */
  #indexed = 0;

  constructor(size: Size) {
    this.#size = size;
    const count = size.width * size.height;
    const isLarge = !areShareable({ length: 4 * count });
    this.#pixels = isLarge ? null : borrowPixels(4 * count);
    this.#indices = this.#pixels?.subarray(3 * count) ?? borrowPixels(count);
  }

  /** @param rows without a gap between them; each is copied once */
  copy(memory: PaintMemory, rows: Surface): void {
    const { x, y, width, height } = rows.area;
    const at = y * this.#size.width + x;
    if (this.#indices) {
      const mark = memory.mark();
      const scratch = memory.take(ColorTable.scratch(width * height));
      const part = this.#indices.subarray(at, at + width * height);
      const areFew = this.#table.index(memory.kernels, addressIn(rows, rows.area), scratch, part);
      memory.release(mark);
      if (areFew) {
        this.#indexed = Math.max(this.#indexed, (y + height) * this.#size.width);
        return;
      }
      const pixels = this.#pixels ?? borrowPixels(4 * this.#indices.length);
      spellOut(this.#indices.subarray(0, this.#indexed), this.#table.colors, pixels);
      if (!this.#pixels) returnPixels(this.#indices);
      this.#pixels = pixels;
      this.#indices = null;
    }
    copyPixelRows(memory, rows, { ...this.#size, pixels: this.#spelled });
  }

  /** The pixels of a picture that has no indices. */
  get #spelled(): Uint8Array {
    return this.#pixels ?? new Uint8Array(0);
  }

  /** The picture, after all of its rows were copied. */
  painted(): Raster | IndexedRaster {
    if (this.#indices) return { ...this.#size, colors: this.#table.colors, indices: this.#indices };
    return { ...this.#size, pixels: this.#spelled, isColorful: true };
  }
}

/**
 * Writes the RGBA of indices, of which those that are not known yet may be anything. The indices may be the last
 * quarter of the pixels: no pixel lies behind its index.
 */
function spellOut(indices: Uint8Array, colors: Uint32Array, { buffer, byteOffset }: Uint8Array): void {
  const pixels = new Uint32Array(buffer, byteOffset, indices.length);
  for (let i = 0; i < indices.length; i++) pixels[i] = colors[indices[i] ?? 0] ?? 0;
}

/** Copies rows to their place in a raster. */
export function copyPixelRows(memory: PaintMemory, { area, ...rows }: Surface, { width, pixels }: Raster): void {
  const from = addressIn({ area, ...rows }, area);
  pixels.set(memory.bytes.subarray(from, from + 4 * area.width * area.height), 4 * (area.y * width + area.x));
}
