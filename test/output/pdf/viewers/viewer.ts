// What a PDF viewer is to the tests: a program that turns a page into pixels, and may give its text.

import type { Size } from '#core/geometry.ts';
import type { Picture } from '../../../golden/picture.ts';

export interface Viewer extends AsyncDisposable {
  readonly name: string;
  /**
   * The first page on white.
   *
   * @param canvas its size in px of 96 to the inch
   * @param fineness pixels to such a px, in each direction
   */
  draw(pdf: Uint8Array, canvas: Size, fineness?: number): Promise<Picture>;
}

/** Gives the words of the first page as a reader of this program would copy them. */
export interface Extractor extends AsyncDisposable {
  readonly name: string;
  text(pdf: Uint8Array): Promise<string>;
}

/** RGB rows in, a picture out. */
export function opaque(width: number, height: number, rgb: Uint8Array): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let from = 0, to = 0; to < pixels.length; from += 3, to += 4) {
    pixels[to] = rgb[from] ?? 255;
    pixels[to + 1] = rgb[from + 1] ?? 255;
    pixels[to + 2] = rgb[from + 2] ?? 255;
  }
  return { width, height, pixels };
}
