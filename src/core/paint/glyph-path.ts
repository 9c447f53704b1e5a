// A glyph run and its face in, the outlines of its letters on the canvas out.

import type { Matrix, Point } from '../geometry.ts';
import { type PathData, transformPath } from '../path.ts';
import type { FontFace } from '../text/font-face.ts';
import type { Glyph, GlyphRun } from '../text/glyph-run.ts';

/** From the face's font units, y up, to where the glyph stands, y down; a synthesised oblique leans. */
export function glyphMatrix(run: GlyphRun, face: FontFace, origin: Point, glyph: Glyph): Matrix {
  const scale = run.fontSize / face.unitsPerEm;
  return [scale, 0, run.slant * scale, -scale, origin.x + glyph.x, origin.y + glyph.y];
}

/** All letters of a run as one path, to be filled by the nonzero rule. */
export function runPath(run: GlyphRun, origin: Point, face: FontFace): PathData {
  return run.glyphs.flatMap((glyph) => transformPath(face.outline(glyph.id), glyphMatrix(run, face, origin, glyph)));
}
