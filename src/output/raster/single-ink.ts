// Finds the one colour that operations share, if there is one: then a mask is enough to blur or fade them.

import type { Color } from '#core/color.ts';
import type { Brush, GroupOp, PaintOp } from '#core/paint/display-list.ts';

/**
 * Null where there are several. Where one is translucent, operations that overlap show as many.
 */
export function inkOf(ops: readonly PaintOp[]): Color | null {
  const colors: Color[] = [];
  if (!collectInk(ops, colors)) return null;
  const [first] = colors;
  if (!first || (colors.length > 1 && first.a < 1)) return null;
  return colors.every(({ r, g, b, a }) => r === first.r && g === first.g && b === first.b && a === first.a)
    ? first
    : null;
}

/** Whether all that operations draw is single colours. */
function collectInk(ops: readonly PaintOp[], colors: Color[]): boolean {
  return ops.every((op) => collectInkOf(op, colors));
}

function collectInkOf(op: PaintOp, colors: Color[]): boolean {
  switch (op.kind) {
    case 'fill':
    case 'stroke':
      return collectBrush(op.brush, colors);
    case 'glyphs':
      if (op.brush && op.outline) return false;
      return collectBrush(op.brush ?? op.outline?.brush ?? null, colors);
    case 'image':
      return false;
    case 'link':
      return true;
    case 'group':
      return isPlain(op) && op.clip === null && collectInk(op.ops, colors);
  }
}

function collectBrush(brush: Brush | null, colors: Color[]): boolean {
  if (brush?.kind === 'solid') colors.push(brush.color);
  return brush === null || brush.kind === 'solid';
}

const isPlain = ({ opacity, blend, filters }: GroupOp) => opacity === 1 && blend === 'normal' && filters.length === 0;
