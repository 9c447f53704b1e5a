// A glyph run in, the outlines of its letters as one path out, in the coordinates of the run's operation.

import type { Point } from '#core/geometry.ts';
import type { PathData, PathSegment } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';

export function runOutline(run: GlyphRun, origin: Point, face: FontFace): PathData {
  const scale = run.fontSize / face.unitsPerEm;
  const path: PathSegment[] = [];
  for (const glyph of run.glyphs) {
    const x = (fx: number, fy: number) => origin.x + glyph.x + scale * fx + run.slant * (scale * fy - glyph.y);
    const y = (fy: number) => origin.y + glyph.y - scale * fy;
    for (const segment of face.outline(glyph.id)) {
      switch (segment[0]) {
        case 'M':
        case 'L':
          path.push([segment[0], x(segment[1], segment[2]), y(segment[2])]);
          break;
        case 'C': {
          const [, x1, y1, x2, y2, x3, y3] = segment;
          path.push(['C', x(x1, y1), y(y1), x(x2, y2), y(y2), x(x3, y3), y(y3)]);
          break;
        }
        case 'Z':
          path.push(segment);
          break;
      }
    }
  }
  return path;
}
