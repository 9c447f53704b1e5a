// Finds the part of a shadow that is hidden under the layer that casts it and need not be painted.

import type { Matrix, Rect } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { isOpaqueBrush } from '#core/paint/gradient.ts';
import { uprightOutline } from './upright-outline.ts';

/**
 * Whole device px that the operation above a shadow, or above several, covers completely: each gets its colour,
 * whatever was painted there before.
 *
 * @param ops of one surface, in order
 * @returns null when the operation is not a blurred group, or nothing opaque follows
 */
export function hiddenPart(ops: readonly PaintOp[], index: number, matrix: Matrix): Rect | null {
  if (!isBlurred(ops[index])) return null;
  let next = index + 1;
  while (isBlurred(ops[next])) next += 1;
  const over = ops[next];
  if (over?.kind !== 'fill' || !isOpaqueBrush(over.brush)) return null;
  const outline = uprightOutline(over.path, matrix);
  if (!outline) return null;
  const { bounds, across, down } = outline;
  const wide = down && inside(bounds.x, bounds.x + bounds.width, down.from, down.to);
  const tall = across && inside(across.from, across.to, bounds.y, bounds.y + bounds.height);
  return areaOf(wide) >= areaOf(tall) ? wide : tall;
}

function isBlurred(op: PaintOp | undefined): boolean {
  return op?.kind === 'group' && op.blend === 'normal' && op.filters.at(-1)?.kind === 'blur';
}

/** Pixels that no edge touches, as a rectangle. */
function inside(left: number, right: number, top: number, bottom: number): Rect | null {
  const [x, y] = [Math.ceil(left) + 1, Math.ceil(top) + 1];
  const [width, height] = [Math.floor(right) - 1 - x, Math.floor(bottom) - 1 - y];
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

const areaOf = (rect: Rect | null) => (rect ? rect.width * rect.height : 0);

/** Divides a rectangle without a hole into rectangles: above it, below it, on its left and on its right. */
export function without(rect: Rect, hole: Rect | null): readonly Rect[] {
  if (!hole) return [rect];
  const [right, bottom] = [rect.x + rect.width, rect.y + rect.height];
  const [left, top] = [clamp(hole.x, rect.x, right), clamp(hole.y, rect.y, bottom)];
  const [end, foot] = [clamp(hole.x + hole.width, left, right), clamp(hole.y + hole.height, top, bottom)];
  return [
    { ...rect, height: top - rect.y },
    { ...rect, y: foot, height: bottom - foot },
    { x: rect.x, y: top, width: left - rect.x, height: foot - top },
    { x: end, y: top, width: right - end, height: foot - top },
  ].filter(({ width, height }) => width > 0 && height > 0);
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
