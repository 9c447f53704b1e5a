// The parts of a picture's file, and the interface of their encoder.

import type { Raster } from '#images/raster.ts';
import type { PixelForm } from './png/band-encoder.ts';

/** Some rows of a picture, as a piece of its file. */
export interface Part {
  readonly bytes: Uint8Array;
}

/** Encodes the parts of one picture in any order: none depends on another. */
export interface PartEncoder<P extends Part> {
  readonly wish: PartWish;
  readonly count: number;
  /** @returns null when the picture was assumed to be opaque and is not */
  encode(index: number): P | null;
}

/** The bands of a PNG. */
export interface PartWish {
  readonly raster: Raster;
  readonly form: PixelForm;
}
