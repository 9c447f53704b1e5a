// Synthesises bold letters for a family without a bold face: their outlines are stroked as well, as wide as Skia
// (SkTextFormatParams), and so Chromium, strokes them.

import type { FontFace } from '../text/font-face.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import type { Brush, PaintOp, Stroke } from './display-list.ts';
import { runPath } from './glyph-path.ts';
import { group } from './group.ts';

type GlyphsOp = Extract<PaintOp, { readonly kind: 'glyphs' }>;

/** Two font sizes, px, and the stroke width as a fraction of each; interpolated between them. */
const SMALL = { size: 9, part: 1 / 24 };
const LARGE = { size: 36, part: 1 / 32 };

/** The width that emboldening adds to stems, px. */
export function extraWidth({ fontSize }: GlyphRun): number {
  const share = Math.min(1, Math.max(0, (fontSize - SMALL.size) / (LARGE.size - SMALL.size)));
  return fontSize * (SMALL.part + share * (LARGE.part - SMALL.part));
}

/** Letters with the stroke that makes them bold. The style's own outline lies below both and is widened by as much. */
export function emboldened(op: GlyphsOp, brush: Brush, face: FontFace): readonly PaintOp[] {
  const extra = extraWidth(op.run);
  const stroke: Stroke = { width: extra, cap: 'butt', join: 'miter', miterLimit: 4, dash: [] };
  const below: PaintOp[] = [];
  if (op.outline) {
    const { brush, stroke } = op.outline;
    const path = runPath(op.run, op.origin, face);
    below.push({ kind: 'stroke', path, brush, stroke: { ...stroke, width: stroke.width + extra } });
  }
  if (brush.kind !== 'solid' || brush.color.a === 1) {
    return [...below, { ...op, outline: { brush, stroke } }];
  }
  // Letters and stroke overlap: they are composited as one, or a translucent colour would show twice.
  const opaque: Brush = { kind: 'solid', color: { ...brush.color, a: 1 } };
  return [
    ...below,
    ...group({ opacity: brush.color.a }, [{ ...op, brush: opaque, outline: { brush: opaque, stroke } }]),
  ];
}
