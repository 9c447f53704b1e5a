// Detects whether one operation is another one moved over the canvas. The page then moves the drawn group instead of
// redrawing it.

import { type Matrix, type Point, type Size, transformPoint } from '#core/geometry.ts';
import type { Brush, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';

/** Tolerance in px between coordinates that are computed in different ways. */
const CLOSE = 1e-4;

/**
 * The offset from `from` to `to` in px; null if they differ in anything else.
 *
 * Operations that blend never count as moved, because a group that is moved alone no longer blends with what is below.
 * Blurred and masked operations must move by whole px, because the region of a filter or mask is cut at whole px.
 */
export function movedBy(from: PaintOp, to: PaintOp): Point | null {
  const by = shift(from, to);
  if (!by) return null;
  const isWhole = Math.abs(by.x - Math.round(by.x)) < CLOSE && Math.abs(by.y - Math.round(by.y)) < CLOSE;
  return isWhole || !hasFilters(from) ? by : null;
}

function hasFilters(op: PaintOp): boolean {
  return op.kind === 'group' && (op.filters.length > 0 || op.mask !== undefined || op.ops.some(hasFilters));
}

function shift(from: PaintOp, to: PaintOp): Point | null {
  switch (from.kind) {
    case 'fill':
      return to.kind === 'fill' && from.rule === to.rule
        ? along(pathShift(from.path, to.path), (by) => isBrushMoved(from.brush, to.brush, by))
        : null;
    case 'stroke':
      return to.kind === 'stroke' && isSame(from.stroke, to.stroke)
        ? along(pathShift(from.path, to.path), (by) => isBrushMoved(from.brush, to.brush, by))
        : null;
    case 'glyphs':
      return to.kind === 'glyphs' && isSame(from.run, to.run) && isSame(from.outline?.stroke, to.outline?.stroke)
        ? along(
            between(from.origin, to.origin),
            (by) =>
              isBrushMoved(from.brush, to.brush, by) &&
              isBrushMoved(from.outline?.brush ?? null, to.outline?.brush ?? null, by),
          )
        : null;
    case 'image': {
      const isLike =
        to.kind === 'image' &&
        from.image === to.image &&
        isSamePoint(from.source, to.source) &&
        isSameSize(from.source, to.source) &&
        isSameSize(from.dest, to.dest);
      return isLike ? between(from.dest, to.dest) : null;
    }
    case 'link':
      return to.kind === 'link' ? between(from.rect, to.rect) : null;
    case 'group':
      return to.kind === 'group' ? groupShift(from, to) : null;
  }
}

function groupShift(from: GroupOp, to: GroupOp): Point | null {
  if (from.blend !== 'normal' || to.blend !== 'normal' || from.opacity !== to.opacity) return null;
  if (from.ops.length !== to.ops.length || from.mask?.length !== to.mask?.length || !isSame(from.filters, to.filters))
    return null;
  const [a, b] = [from.transform, to.transform];
  if (![0, 1, 2, 3].every((i) => isNear(a[i] ?? 0, b[i] ?? 0))) return null;
  let inner: Point | null = null;
  const [parts, others] = [from, to].map(({ ops, mask = [] }) => [...ops, ...mask]);
  for (const [i, op] of (parts ?? []).entries()) {
    const by = shift(op, others?.[i] as PaintOp);
    if (!by || (inner && !isSamePoint(inner, by))) return null;
    inner ??= by;
  }
  if (!inner) return null;
  if ((from.clip === null) !== (to.clip === null)) return null;
  if (from.clip && to.clip) {
    const by = from.clip.rule === to.clip.rule ? pathShift(from.clip.path, to.clip.path) : null;
    if (!by || !isSamePoint(inner, by)) return null;
  }
  // The movement inside the group, plus the movement of the group itself.
  const turned = vector(a, inner);
  return { x: turned.x + b[4] - a[4], y: turned.y + b[5] - a[5] };
}

function pathShift(from: PathData, to: PathData): Point | null {
  if (from.length !== to.length) return null;
  let by: Point | null = null;
  for (const [i, segment] of from.entries()) {
    const other = to[i];
    if (other?.[0] !== segment[0] || other.length !== segment.length) return null;
    for (let k = 1; k < segment.length; k += 2) {
      const moved = {
        x: Number(other[k]) - Number(segment[k]),
        y: Number(other[k + 1]) - Number(segment[k + 1]),
      };
      if (by && !isSamePoint(by, moved)) return null;
      by ??= moved;
    }
  }
  return by;
}

function isBrushMoved(from: Brush | null, to: Brush | null, by: Point): boolean {
  if (from === null || to === null) return from === to;
  if (from.kind === 'solid') return isSame(from, to);
  if (from.kind !== to.kind || !isSame(from.stops, to.stops)) return false;
  if (from.kind === 'linear' && to.kind === 'linear')
    return isSamePoint(between(from.from, to.from), by) && isSamePoint(between(from.to, to.to), by);
  if (from.kind === 'conic' && to.kind === 'conic')
    return from.angle === to.angle && isSamePoint(between(from.centre, to.centre), by);
  if (from.kind === 'radial' && to.kind === 'radial') {
    const [a, b] = [from.transform, to.transform];
    const isLike = [0, 1, 2, 3].every((i) => isNear(a[i] ?? 0, b[i] ?? 0));
    return isLike && isSamePoint({ x: b[4] - a[4], y: b[5] - a[5] }, by);
  }
  return false;
}

/** Transforms a vector by a matrix, without its translation. */
function vector(matrix: Matrix, by: Point): Point {
  const origin = transformPoint(matrix, { x: 0, y: 0 });
  const end = transformPoint(matrix, by);
  return { x: end.x - origin.x, y: end.y - origin.y };
}

const along = (by: Point | null, also: (by: Point) => boolean): Point | null => (by && also(by) ? by : null);
const between = (a: Point, b: Point): Point => ({ x: b.x - a.x, y: b.y - a.y });
const isNear = (a: number, b: number): boolean => Math.abs(a - b) < CLOSE;
const isSamePoint = (a: Point, b: Point): boolean => isNear(a.x, b.x) && isNear(a.y, b.y);
const isSameSize = (a: Size, b: Size): boolean => isNear(a.width, b.width) && isNear(a.height, b.height);
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
