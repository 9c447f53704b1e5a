// Places the outlines of a glyph run's letters on the canvas.

import type { Matrix, Point } from '../geometry.ts';
import { type PathData, transformPath } from '../path.ts';
import type { FontFace } from '../text/font-face.ts';
import type { Glyph, GlyphRun } from '../text/glyph-run.ts';

/** The matrix from font units, y up, to the glyph's place on the canvas, y down; a synthesised oblique is sheared. */
export function glyphMatrix(run: GlyphRun, face: FontFace, origin: Point, glyph: Glyph): Matrix {
  const scale = run.fontSize / face.unitsPerEm;
  return [scale, 0, run.slant * scale, -scale, origin.x + glyph.x, origin.y + glyph.y];
}

/** All letters of a run as one path, to be filled by the nonzero rule. */
export function runPath(run: GlyphRun, origin: Point, face: FontFace): PathData {
  return run.glyphs.flatMap((glyph) => transformPath(face.outline(glyph.id), glyphMatrix(run, face, origin, glyph)));
}
