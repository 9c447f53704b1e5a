// The interfaces of PDF viewers in the tests: programs that rasterise a page, and may extract its text.

import type { Size } from '../../../src/core/geometry.ts';
import type { Picture } from '../../golden/picture.ts';

export interface Viewer extends AsyncDisposable {
  readonly name: string;
  /**
   * Draws the first page on white.
   *
   * @param canvas its size in px at 96 dpi
   * @param fineness pixels per px, in each direction
   */
  draw(pdf: Uint8Array, canvas: Size, fineness?: number): Promise<Picture>;
}

/** Extracts the words of the first page as a reader of this program would copy them. */
export interface Extractor extends AsyncDisposable {
  readonly name: string;
  text(pdf: Uint8Array): Promise<string>;
}

/** Makes a picture of RGB rows. */
export function opaque(width: number, height: number, rgb: Uint8Array): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let from = 0, to = 0; to < pixels.length; from += 3, to += 4) {
    pixels[to] = rgb[from] ?? 255;
    pixels[to + 1] = rgb[from + 1] ?? 255;
    pixels[to + 2] = rgb[from + 2] ?? 255;
  }
  return { width, height, pixels };
}
