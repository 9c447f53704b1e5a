// The parts of a picture's file: what each is, what it follows from, and who is able to make it.

import type { Rect } from '#core/geometry.ts';
import type { Raster } from '#images/raster.ts';
import type { KnownUnits } from './known-units.ts';

/** Some rows of a picture as a piece of its file. */
export interface Part {
  readonly bytes: Uint8Array;
}

/** Makes the parts of one picture, in any order: none depends on another. */
export interface PartEncoder<P extends Part> {
  readonly wish: PartWish;
  readonly count: number;
  /** @returns null when the picture was taken to be opaque and is not */
  encode(index: number): P | null;
  /** The rows of pixels that a part follows from: `to` is behind the last. */
  rowsOf(index: number): { readonly from: number; readonly to: number };
  /** How many of these it takes to make it, about. */
  pixelsOf(index: number): number;
  /** Whatever else it follows from, but for the size of the picture. */
  nameOf(index: number): string;
}

/** The bands of a PNG, or the strips of a JPEG. */
export type PartWish =
  | {
      readonly kind: 'bands';
      readonly raster: Raster;
      readonly channels: 3 | 4;
      readonly known: KnownUnits | null;
    }
  | {
      readonly kind: 'strips';
      readonly raster: Raster;
      readonly quality: number;
      readonly known: KnownUnits | null;
    };

/** What a raster shows of a picture that others show as well, each with other things over it. */
export interface Ground {
  /** Where other things may lie, px; everywhere else is the ground, pixel for pixel. */
  readonly covered: readonly Rect[];
  /** What was made of the ground itself, by name: parts in which nothing else is to be seen, and pieces of others. */
  readonly parts: KeptParts;
}

export interface KeptParts {
  get(name: string): Part | undefined;
  set(name: string, part: Part): void;
}
