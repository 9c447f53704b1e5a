// Finds the single colour of all operations, if there is one: a mask is then enough to blur or fade them.

import type { Color } from '#core/color.ts';
import type { Brush, PaintOp } from '#core/paint/display-list.ts';
import { isPassThrough } from '#core/paint/group.ts';

/**
 * Null when there are several colours, and when several operations share a translucent one: where they overlap, a
 * second colour results.
 */
export function uniformColor(ops: readonly PaintOp[]): Color | null {
  const colors: Color[] = [];
  if (!collectInk(ops, colors)) return null;
  const [first] = colors;
  if (!first || (colors.length > 1 && first.a < 1)) return null;
  return colors.every(({ r, g, b, a }) => r === first.r && g === first.g && b === first.b && a === first.a)
    ? first
    : null;
}

/** Collects the colours of operations; returns false when one draws anything but single colours. */
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
      return isPassThrough(op) && op.clip === null && collectInk(op.ops, colors);
  }
}

function collectBrush(brush: Brush | null, colors: Color[]): boolean {
  if (brush?.kind === 'solid') colors.push(brush.color);
  return brush === null || brush.kind === 'solid';
}
