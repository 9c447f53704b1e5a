// Collects the colours of a picture while its rows are copied out of the painter's memory, for a PNG of few colours.
//
// The rows are in the processor's cache then: searching the finished picture takes three times as long.

import { MOST_COLORS, paletteOf, SLOTS_BYTES } from '#encoders/png/palette.ts';
import type { Palette } from '#images/raster.ts';
import { addressIn, type PaintMemory, type Surface } from './paint-memory.ts';

export class PaletteSearch {
  readonly #slots = new Uint8Array(SLOTS_BYTES);
  #found = 0;

  /** @param rows that follow one another without a gap */
  add(memory: PaintMemory, rows: Surface): void {
    if (this.#found > MOST_COLORS) return;
    const { area } = rows;
    const mark = memory.mark();
    const slots = memory.take(SLOTS_BYTES);
    memory.bytes.set(this.#slots, slots);
    this.#found = memory.kernels.addColors(addressIn(rows, area), area.width * area.height, slots, this.#found);
    this.#slots.set(memory.bytes.subarray(slots, slots + SLOTS_BYTES));
    memory.release(mark);
  }

  /** The colours of all rows; null where there are more than a palette holds. */
  palette(): Palette | null {
    return this.#found > MOST_COLORS ? null : paletteOf(this.#slots, this.#found);
  }
}
