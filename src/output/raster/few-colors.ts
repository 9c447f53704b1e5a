// Copies a picture out of the painter's memory for a PNG: as indices while it has at most 256 colours, then as RGBA.
//
// Most drawings have few colours. Their rows are indexed while they are in the processor's cache, and the encoder reads
// a quarter of the bytes.

import type { Size } from '#core/geometry.ts';
import { ColorTable } from '#encoders/png/palette.ts';
import { borrowPixels, returnPixels } from '#images/pixel-pool.ts';
import type { IndexedRaster, Raster } from '#images/raster.ts';
import { addressIn, type PaintMemory, type Surface } from './paint-memory.ts';

export class FewColors {
  readonly #size: Size;
  readonly #table = new ColorTable();
  #indices: Uint8Array | null;
  #pixels: Uint8Array = new Uint8Array(0);
  /** Pixels up to the end of the lowest row of which any was indexed. */
  #indexed = 0;

  constructor(size: Size) {
    this.#size = size;
    this.#indices = borrowPixels(size.width * size.height);
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
      this.#pixels = borrowPixels(4 * this.#indices.length);
      spellOut(this.#indices.subarray(0, this.#indexed), this.#table.colors, this.#pixels);
      returnPixels(this.#indices);
      this.#indices = null;
    }
    copyRows(memory, rows, { ...this.#size, pixels: this.#pixels });
  }

  /** The picture, after all of its rows were copied. */
  painted(): Raster | IndexedRaster {
    if (this.#indices) return { ...this.#size, colors: this.#table.colors, indices: this.#indices };
    return { ...this.#size, pixels: this.#pixels, isColorful: true };
  }
}

/** Writes the RGBA of indices, of which those that are not known yet may be anything. */
function spellOut(indices: Uint8Array, colors: Uint32Array, { buffer, byteOffset }: Uint8Array): void {
  const pixels = new Uint32Array(buffer, byteOffset, indices.length);
  for (let i = 0; i < indices.length; i++) pixels[i] = colors[indices[i] ?? 0] ?? 0;
}

/** Copies rows to their place in a raster. */
export function copyRows(memory: PaintMemory, { area, ...rows }: Surface, { width, pixels }: Raster): void {
  const from = addressIn({ area, ...rows }, area);
  pixels.set(memory.bytes.subarray(from, from + 4 * area.width * area.height), 4 * (area.y * width + area.x));
}
