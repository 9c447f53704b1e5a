// A group that is drawn apart in, the layer that the rasteriser draws it in out: what it holds, and its corner.
//
// It moves all that lies in the group to that corner, and rounds it there.

import { isIdentity, type Point, type Rect, union } from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { controlBounds } from '#core/path.ts';
import type { FontSet } from '#core/text/font-set.ts';

/** Px around what lies in a layer. */
const MARGIN = 2;

/** Whole px; null where nothing lies in the group. */
export function layerCorner({ ops }: GroupOp, fonts: FontSet): Point | null {
  const bounds = contentBounds(ops, fonts);
  return bounds && { x: wholeBelow(bounds.x) - MARGIN, y: wholeBelow(bounds.y) - MARGIN };
}

/** Of a place as SVG text has it. */
function wholeBelow(px: number): number {
  return Math.floor(Math.round(1000 * px) / 1000);
}

/** What a layer holds, as the rasteriser has it: a clip makes nothing smaller, and curves lie among their control points. */
export function contentBounds(ops: readonly PaintOp[], fonts: FontSet): Rect | null {
  return ops.reduce<Rect | null>((bounds, op) => union(bounds, boundsOf(op, fonts)), null);
}

function boundsOf(op: PaintOp, fonts: FontSet): Rect | null {
  if (op.kind === 'fill') return controlBounds(op.path);
  const isPlain = op.kind === 'group' && op.filters.length === 0 && isIdentity(op.transform);
  return isPlain ? contentBounds(op.ops, fonts) : opBounds(op, fonts);
}
