// A list in, the canvas that the rasteriser needs for it out: a larger one where groups within groups reach far.
//
// resvg draws a group apart on a layer that it cuts at twice the sides of the canvas, counted from the layer around it,
// and ends the process where nothing of it is left. On a canvas half as long as what lies from the first of what layers
// hold to the last that can be seen, something always is.

import {
  IDENTITY,
  inflate,
  intersection,
  type Matrix,
  multiply,
  type Rect,
  type Size,
  transformRect,
  union,
} from '#core/geometry.ts';
import { filterReach, opBounds } from '#core/paint/bounds.ts';
import type { DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { controlBounds } from '#core/path.ts';
import type { FontSet } from '#core/text/font-set.ts';
import { AppError } from '#errors';
import { MAX_OUTPUT_PIXELS } from '#images/limits.ts';

/** Px that layers are larger than what they hold, one within the other. */
const MARGIN = 8;

/** Whether a group is put together on nothing before it is laid over the rest. */
export function isDrawnApart({ opacity, blend, clip, filters }: GroupOp): boolean {
  return opacity < 1 || blend !== 'normal' || clip !== null || filters.length > 0;
}

/** Whether the list has to be drawn on a canvas larger than its own. */
export function needsRoom(list: DisplayList, fonts: FontSet): boolean {
  const { width, height } = canvasFor(list, fonts);
  return width > list.width || height > list.height;
}

/**
 * A size that holds the list's own at its corner.
 *
 * @throws AppError `invalid_request` when it would be too large
 */
export function canvasFor({ width, height, ops }: DisplayList, fonts: FontSet): Size {
  const canvas: Rect = { x: 0, y: 0, width, height };
  const held = union(canvas, nestedBounds(ops, IDENTITY, canvas, fonts)) ?? canvas;
  const half = (length: number) => Math.ceil(length / 2) + MARGIN;
  const room = {
    width: held.width > width ? Math.max(width, half(held.width)) : width,
    height: held.height > height ? Math.max(height, half(held.height)) : height,
  };
  if (room.width * room.height > Math.max(MAX_OUTPUT_PIXELS, width * height)) {
    throw new AppError('invalid_request', 'A group reaches too far beyond the canvas; cut off what cannot be seen.');
  }
  return room;
}

/** What groups hold that are drawn apart and hold others, in device px. */
function nestedBounds(ops: readonly PaintOp[], toDevice: Matrix, canvas: Rect, fonts: FontSet): Rect | null {
  return ops.reduce<Rect | null>((bounds, op) => {
    if (op.kind !== 'group') return bounds;
    if (isDrawnApart(op) && op.ops.some(holdsLayer)) return union(bounds, extent(op, toDevice, canvas, fonts));
    return union(bounds, nestedBounds(op.ops, multiply(toDevice, op.transform), canvas, fonts));
  }, null);
}

function holdsLayer(op: PaintOp): boolean {
  return op.kind === 'group' && (isDrawnApart(op) || op.ops.some(holdsLayer));
}

/** @param seen what lies wholly beside it is not drawn, and no layer needs what lies behind it */
function extent(op: PaintOp, toDevice: Matrix, seen: Rect, fonts: FontSet): Rect | null {
  if (op.kind !== 'group') {
    const own = op.kind === 'fill' ? controlBounds(op.path) : opBounds(op, fonts);
    const bounds = own && transformRect(toDevice, own);
    if (!bounds || !intersection(inflate(seen, 1), bounds)) return null;
    const [right, bottom] = [seen.x + seen.width, seen.y + seen.height];
    const { x, y } = bounds;
    return { x, y, width: Math.min(bounds.width, right - x), height: Math.min(bounds.height, bottom - y) };
  }
  const matrix = multiply(toDevice, op.transform);
  const [a, b, c, d] = matrix;
  const reach = filterReach(op.filters) * Math.max(Math.hypot(a, b), Math.hypot(c, d));
  const worked = inflate(seen, reach);
  const within = op.ops.map((inner) => extent(inner, matrix, worked, fonts));
  const content = within.reduce((all, bounds) => union(all, bounds), null);
  // A filter's layer is as large as what it works on, however much lies in it.
  return content && op.filters.length > 0 ? intersection(inflate(content, reach), worked) : content;
}
