// A glyph run and its face in, the outlines of its letters on the canvas out.

import type { Matrix, Point } from '../geometry.ts';
import { type PathData, transformPath } from '../path.ts';
import type { FontFace } from '../text/font-face.ts';
import type { Glyph, GlyphRun } from '../text/glyph-run.ts';

/** From the face's font units, y up, to px about the glyph's own origin, y down; a synthesised oblique leans. */
export function glyphMatrix(run: GlyphRun, face: FontFace): Matrix {
  const scale = run.fontSize / face.unitsPerEm;
  return [scale, 0, run.slant * scale, -scale, 0, 0];
}

/** Where a glyph's own origin lies. */
export function glyphOrigin(origin: Point, glyph: Glyph): Point {
  return { x: origin.x + glyph.x, y: origin.y + glyph.y };
}

/** All letters of a run as one path, to be filled by the nonzero rule. */
export function runPath(run: GlyphRun, origin: Point, face: FontFace): PathData {
  const [a, b, c, d] = glyphMatrix(run, face);
  return run.glyphs.flatMap((glyph) => {
    const { x, y } = glyphOrigin(origin, glyph);
    return transformPath(face.outline(glyph.id), [a, b, c, d, x, y]);
  });
}
