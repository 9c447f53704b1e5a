// Letters made bold where their family has no bold face: their outlines are drawn along as well, as wide as Skia does it
// (SkTextFormatParams), and so Chromium.

import type { FontFace } from '../text/font-face.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import type { Brush, PaintOp, Stroke } from './display-list.ts';
import { runPath } from './glyph-path.ts';
import { group } from './group.ts';

type GlyphsOp = Extract<PaintOp, { readonly kind: 'glyphs' }>;

/** Font sizes, px, and the part of each that the outline is wide; between them it is interpolated. */
const SMALL = { size: 9, part: 1 / 24 };
const LARGE = { size: 36, part: 1 / 32 };

/** How much wider the stems of emboldened letters are, px. */
export function extraWidth({ fontSize }: GlyphRun): number {
  const share = Math.min(1, Math.max(0, (fontSize - SMALL.size) / (LARGE.size - SMALL.size)));
  return fontSize * (SMALL.part + share * (LARGE.part - SMALL.part));
}

/** Letters and the outline that makes them bold. An outline that the style asks for lies under both, as much wider. */
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
  // Letters and outline overlap: they are laid on as one, or a translucent colour would show twice.
  const opaque: Brush = { kind: 'solid', color: { ...brush.color, a: 1 } };
  return [
    ...below,
    ...group({ opacity: brush.color.a }, [{ ...op, brush: opaque, outline: { brush: opaque, stroke } }]),
  ];
}
