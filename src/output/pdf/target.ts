// Where operations are drawn: a content stream, and what the coordinates and colours in force mean there.

import { IDENTITY, type Matrix, multiply } from '#core/geometry.ts';
import type { FontSet } from '#core/text/font-set.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import type { ColorMatrix } from './color-matrix.ts';
import type { ContentStream } from './content-stream.ts';
import type { PdfDocument } from './document.ts';
import type { EmbeddedFonts } from './fonts.ts';
import type { Pictures } from './picture.ts';

export interface Target {
  readonly document: PdfDocument;
  readonly content: ContentStream;
  /** The faces that glyph runs name, for their outlines. */
  readonly faces: FontSet;
  readonly fonts: EmbeddedFonts;
  readonly pictures: Pictures;
  /** Runs whose words are in the file, or will be. */
  readonly said: Set<GlyphRun>;
  /** From the user space in force to the content stream's first, which is what patterns know. */
  readonly streamMatrix: Matrix;
  /** From the user space in force to canvas px, for what stands outside all content: annotations. */
  readonly canvasMatrix: Matrix;
  /** Applied to every colour, or null. */
  readonly colorMatrix: ColorMatrix | null;
  /** Of a group around one operation, which takes it over; else 1. */
  readonly opacity: number;
}

/** The target after `m cm`. */
export function inside(target: Target, m: Matrix): Target {
  return {
    ...target,
    streamMatrix: multiply(target.streamMatrix, m),
    canvasMatrix: multiply(target.canvasMatrix, m),
  };
}

/** The same user space in a content stream of its own. */
export function inForm(target: Target, content: ContentStream): Target {
  return { ...target, content, streamMatrix: IDENTITY, opacity: 1 };
}
