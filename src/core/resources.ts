// The external resources of a render: requested once (resolve/needs.ts), loaded once and held in memory.
//
// The only value that is not plain data: a FontFace has its parsed font. Nothing here is loaded lazily.

import type { Point, Size } from './geometry.ts';
import type { CodeModules } from './resolve/scene.ts';
import type { FontSet } from './text/font-set.ts';
import type { GlyphRun } from './text/glyph-run.ts';
import type { Hyphenators } from './text/hyphenation.ts';

/** An SVG file as usvg simplifies it, with marked paths in place of its texts (svg/read-svg.ts). */
export interface SimplifiedSvg {
  readonly svg: string;
  /** By the id of a path, the letters that it stands for. */
  readonly texts: ReadonlyMap<string, { readonly run: GlyphRun; readonly origin: Point }>;
  /** Has the faces of these letters. */
  readonly fonts: FontSet;
}

/** An image whose header was read and is within the limits; its pixels stay encoded. */
export interface ImageResource extends Size {
  /** The key by which the scene and the display list name it. */
  readonly key: string;
  /** `svg` is vector and has no pixel grid of its own; `width` and `height` are then its intrinsic size. */
  readonly format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'svg';
  /** The file's bytes, never changed; an SVG's as they were sanitised on loading. */
  readonly bytes: Uint8Array;
  /** False when every pixel is opaque. */
  readonly hasAlpha: boolean;
  /** True of an SVG that states only its aspect ratio: as a CSS background it fills its area. */
  readonly hasNoSize?: true;
  /** The point of interest, 0..1 on each axis, when the scene asked for `attention` or `entropy`; else null. */
  readonly focus: Point | null;
  /** Of an SVG, where a PDF is wanted; absent if it is drawn as pixels. */
  readonly simplified?: SimplifiedSvg;
}

export interface Resources {
  readonly fonts: FontSet;
  readonly images: ReadonlyMap<string, ImageResource>;
  /** By the keys of `Needs.codes`. */
  readonly codes: ReadonlyMap<string, CodeModules>;
  /** For the languages of text with automatic hyphenation. */
  readonly hyphenators: Hyphenators;
}
