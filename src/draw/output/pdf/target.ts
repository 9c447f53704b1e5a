// The drawing target: a content stream, and the current coordinates and colours in it.

import { IDENTITY, type Matrix, multiply } from '#core/geometry.ts';
import type { FontSet } from '#core/text/font-set.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import type { ColorMatrices } from './color-matrix.ts';
import type { ContentStream } from './content-stream.ts';
import type { PdfDocument } from './document.ts';
import type { EmbeddedFonts } from './fonts.ts';
import type { Pictures } from './picture.ts';
import type { Recolourings } from './recolouring.ts';

export interface Target {
  readonly document: PdfDocument;
  readonly content: ContentStream;
  /** The faces of the glyph runs, for their outlines. */
  readonly faces: FontSet;
  readonly fonts: EmbeddedFonts;
  readonly pictures: Pictures;
  readonly recolourings: Recolourings;
  /** Runs whose text is in the file, or will be. */
  readonly inText: Set<GlyphRun>;
  /** From the current user space to the content stream's initial one, in which patterns are defined. */
  readonly streamMatrix: Matrix;
  /** From the current user space to canvas px, for annotations, which are outside content streams. */
  readonly canvasMatrix: Matrix;
  /** Applied to every colour, one after the other; or null. */
  readonly colorMatrices: ColorMatrices | null;
  /** Opacity of a group around a single operation, which applies it; else 1. */
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

/** The same user space in a new content stream. */
export function inForm(target: Target, content: ContentStream): Target {
  return { ...target, content, streamMatrix: IDENTITY, opacity: 1 };
}
