// One parsed font file at one point of its design space. The door to HarfBuzz.
//
// Immutable to its users: glyph outlines and metrics are kept once read, so a face is shared between renders.

import type { PathData } from '../path.ts';

/** A font file as the font library hands it in: sfnt bytes (TTF or OTF, never WOFF), already checked. */
export interface FontFile {
  /** Unique among all faces: the file's identity and, for a variable font, its axis values. */
  readonly key: string;
  readonly family: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  readonly bytes: Uint8Array;
  readonly variations: Readonly<Record<string, number>>;
}

/** Vertical metrics as a fraction of the font size; all but `lineGap` and the positions positive. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly xHeight: number;
  readonly capHeight: number;
  /** Centre of the line, above the baseline positive (OpenType `post`, `OS/2`). */
  readonly underlinePosition: number;
  readonly underlineThickness: number;
  readonly strikeoutPosition: number;
  readonly strikeoutThickness: number;
}

/** A shaped glyph in font units, y up, before any spacing (HarfBuzz's own terms). */
export interface ShapedGlyph {
  readonly id: number;
  readonly cluster: number;
  readonly xAdvance: number;
  readonly yAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface FontFace {
  readonly key: string;
  readonly file: FontFile;
  readonly unitsPerEm: number;
  readonly metrics: FontMetrics;
  /** True when glyphs carry their own colours (COLR). */
  readonly isColor: boolean;
  /** Whether the face maps this code point to a glyph (its `cmap`). */
  has(codePoint: number): boolean;
  /** Outline in font units, y up; empty for spaces. Kept after the first call. */
  outline(glyph: number): PathData;
}
