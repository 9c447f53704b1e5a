// A box or its blurred shadow in, that of a smaller box out, and its pixels back to full size: drawing takes time by
// area, and between its corners a box is the same in every column and every row.
//
// Whole device pixels are taken out of the middle, so that every edge keeps its place within a pixel.

import { isIdentity, type Rect, translation } from '#core/geometry.ts';
import { filterReach } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { type PathData, type PathSegment, roundedPath, transformPath } from '#core/path.ts';
import { isWrittenExactly } from './moves-exactly.ts';
import type { Stretch } from './stretch.ts';

type FillOp = Extract<PaintOp, { kind: 'fill' }>;

/** What is taken out of one axis: `removed` px from `at` on. */
interface Fold {
  /** In the coordinates of the operation. */
  readonly at: number;
  /** Whole px, at least 0. */
  readonly removed: number;
}

export interface Squeezed {
  /** At the canvas's corner, so that equal boxes are equal wherever they stand. */
  readonly op: PaintOp;
  /** Device px, from 0, 0. */
  readonly area: Rect;
  /** How its pixels become the operation's own. */
  readonly stretch: Stretch;
}

/**
 * @param area the operation's own pixels, all of them
 * @returns null when it is no box in one colour, or too small for this to pay
 */
export function squeezeBox(op: PaintOp, area: Rect): Squeezed | null {
  const fill = boxFill(op);
  if (!fill) return null;
  const group = op.kind === 'group' ? op : null;
  const paths = [fill.path, ...(group?.clip ? [group.clip.path] : [])];
  const reach = (group ? filterReach(group.filters) : 0) + 2;
  const foldX = findFold(paths, 0, reach);
  const foldY = findFold(paths, 1, reach);
  if (!foldX || !foldY || foldX.removed * area.height + foldY.removed * area.width < 4096) return null;

  const toCorner = translation(-area.x, -area.y);
  const fold = (path: PathData) => roundedPath(transformPath(folded(folded(path, 0, foldX), 1, foldY), toCorner));
  const inner = { ...fill, path: fold(fill.path) };
  const clip = group?.clip ? { ...group.clip, path: fold(group.clip.path) } : null;
  // A blur hides what is rounded by its place.
  const isBlurred = group !== null && group.filters.length > 0;
  const isAlike = isWrittenExactly(fill.path, inner.path) && (!clip || isWrittenExactly(paths[1] ?? [], clip.path));
  if (!isBlurred && !isAlike) return null;
  const squeezed = group ? { ...group, clip, ops: [inner] } : inner;
  const small = { x: 0, y: 0, width: area.width - foldX.removed, height: area.height - foldY.removed };
  const middle = { x: Math.floor(foldX.at) - area.x, y: Math.floor(foldY.at) - area.y };
  // A clip may leave a part of the box in which there is nothing to take out.
  const isInside = middle.x >= 0 && middle.y >= 0 && middle.x < small.width && middle.y < small.height;
  return isInside ? { op: squeezed, area: small, stretch: { small, middle } } : null;
}

/** What fills the box, in one colour. */
function boxFill(op: PaintOp): FillOp | null {
  if (op.kind === 'fill') return op.brush.kind === 'solid' ? op : null;
  if (op.kind !== 'group' || !isIdentity(op.transform) || op.filters.some(({ kind }) => kind !== 'blur')) return null;
  const [only] = op.ops;
  return op.ops.length === 1 && only?.kind === 'fill' ? boxFill(only) : null;
}

/** The coordinates of a segment on one axis: 0 for x, 1 for y. */
function along(segment: PathSegment, axis: 0 | 1): number[] {
  return segment.slice(1).flatMap((value, i) => (i % 2 === axis ? [Number(value)] : []));
}

/** A segment seen from one axis. */
interface Side {
  /** Its ends and its control points. */
  readonly points: readonly number[];
  /** It runs along the axis and nowhere else. */
  readonly isStraight: boolean;
}

/**
 * Where paths can be folded: between two neighbouring points about the middle of the first, if all that leads from one
 * to the other runs straight across, and so far from both that the blur carries nothing of a corner there.
 */
function findFold(paths: readonly PathData[], axis: 0 | 1, reach: number): Fold | null {
  const own = (paths[0] ?? []).flatMap((segment) => along(segment, axis));
  const middle = (Math.min(...own) + Math.max(...own)) / 2;
  const sides = paths.flatMap((path) => sidesOf(path, axis));
  const points = sides.flatMap((side) => side.points);
  const low = Math.max(...points.filter((point) => point <= middle));
  const high = Math.min(...points.filter((point) => point > middle));
  const bends = sides.some(
    (side) => !side.isStraight && Math.min(...side.points) <= low && Math.max(...side.points) >= high,
  );
  const at = low + reach;
  const removed = Math.floor(high - reach - at);
  return !bends && Number.isFinite(removed) && removed >= 0 ? { at, removed } : null;
}

function sidesOf(path: PathData, axis: 0 | 1): Side[] {
  let before: readonly [number, number] = [0, 0];
  let start = before;
  return path.map((segment) => {
    const end: readonly [number, number] =
      segment[0] === 'Z' ? start : [along(segment, 0).at(-1) ?? 0, along(segment, 1).at(-1) ?? 0];
    const points = segment[0] === 'M' ? [end[axis]] : [before[axis], ...along(segment, axis), end[axis]];
    const isStraight = segment[0] !== 'C' && Math.abs((before[1 - axis] as number) - (end[1 - axis] as number)) < 1e-6;
    if (segment[0] === 'M') start = end;
    before = end;
    return { points, isStraight };
  });
}

function folded(path: PathData, axis: 0 | 1, { at, removed }: Fold): PathData {
  const moved = (value: number) => (value > at ? value - removed : value);
  const x = (value: number) => (axis === 0 ? moved(value) : value);
  const y = (value: number) => (axis === 1 ? moved(value) : value);
  return path.map((segment): PathSegment => {
    if (segment[0] === 'Z') return segment;
    if (segment[0] !== 'C') return [segment[0], x(segment[1]), y(segment[2])];
    const [, x1, y1, x2, y2, x3, y3] = segment;
    return ['C', x(x1), y(y1), x(x2), y(y2), x(x3), y(y3)];
  });
}
