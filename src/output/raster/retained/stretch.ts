// Pixels of a small box in, rows of a larger one out: a column and a row in its middle stand for all that it lacks.
//
// Whoever needs the rows one by one never holds the large box, which may be a hundred times the small one.

import type { Point, Size } from '#core/geometry.ts';

/** How pixels grow to a larger size. */
export interface Stretch {
  /** The size that the pixels have. */
  readonly small: Size;
  /** The column and the row of them that are repeated. */
  readonly middle: Point;
}

/** The rows of the large box, each valid until the next is asked for. */
export class StretchedRows {
  readonly #pixels: Uint32Array;
  readonly #stretch: Stretch;
  readonly #size: Size;
  readonly #line: Uint32Array;
  /** The row of the small box that the line shows. */
  #shown = -1;

  /** @param size of the large box */
  constructor(pixels: Uint32Array, stretch: Stretch, size: Size) {
    this.#pixels = pixels;
    this.#stretch = stretch;
    this.#size = size;
    this.#line = new Uint32Array(size.width);
  }

  row(y: number): Uint32Array {
    const { small, middle } = this.#stretch;
    const row = y <= middle.y ? y : Math.max(middle.y, y - (this.#size.height - small.height));
    if (row === this.#shown) return this.#line;
    this.#shown = row;
    const from = row * small.width;
    const more = this.#size.width - small.width;
    this.#line.set(this.#pixels.subarray(from, from + middle.x));
    this.#line.fill(this.#pixels[from + middle.x] ?? 0, middle.x, middle.x + more);
    this.#line.set(this.#pixels.subarray(from + middle.x, from + small.width), middle.x + more);
    return this.#line;
  }
}

/** All rows at once. */
export function stretched(pixels: Uint32Array, stretch: Stretch, size: Size): Uint32Array {
  const rows = new StretchedRows(pixels, stretch, size);
  const result = new Uint32Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) result.set(rows.row(y), y * size.width);
  return result;
}
