// Everything a render needs from outside, asked for once (resolve/needs.ts) and handed over once, in memory.
//
// The only value that is not plain data: a FontFace holds its parsed font. Nothing here is fetched lazily.

import type { Point, Size } from './geometry.ts';
import type { FontSet } from './text/font-set.ts';
import type { Hyphenators } from './text/hyphenation.ts';

/** A decoded-enough image: its header was read and found within the limits; its pixels stay encoded. */
export interface ImageResource extends Size {
  /** The key by which the scene and the display list name it. */
  readonly key: string;
  /** `svg` is vector and has no pixel grid of its own; `width` and `height` are then its intrinsic size. */
  readonly format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'svg';
  /** The file's bytes, never changed; an SVG's as they were sanitised on loading. */
  readonly bytes: Uint8Array;
  /** False when every pixel is opaque. */
  readonly hasAlpha: boolean;
  /** Of an SVG that says only how wide it is to its height: CSS has it fill what it is a background of. */
  readonly hasNoSize?: true;
  /** Where the interest lies, 0..1 on each axis, when the scene asked for `attention` or `entropy`; else null. */
  readonly focus: Point | null;
}

export interface Resources {
  readonly fonts: FontSet;
  readonly images: ReadonlyMap<string, ImageResource>;
  /** Of the languages of text that asks for it. */
  readonly hyphenators: Hyphenators;
}
