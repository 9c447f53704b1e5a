// Draws what lies behind a layer once more, filtered and cut to the layer's outline (Filter Effects 2, backdrop-filter).
//
// While layers are painted, a mark stands for it: a group without operations. Once all are painted, each mark is given
// the operations before it, so back ends need to know nothing of backdrops.

import { ValidationError } from '../diagnostics.ts';
import { IDENTITY, inflate, invert, isIdentity, rectsOverlap } from '../geometry.ts';
import { pathBounds } from '../path.ts';
import type { FontSet } from '../text/font-set.ts';
import { filterReach, opBounds } from './bounds.ts';
import type { Clip, Filter, GroupOp, PaintOp } from './display-list.ts';
import { group, isPassThrough } from './group.ts';
import type { Owners } from './view.ts';

/** Stands for a filtered backdrop until `withBackdrops` fills it. */
export function backdropMark(
  clip: Clip,
  filters: readonly Filter[],
  opacity: number,
  mask: readonly PaintOp[] | null,
): GroupOp {
  const masked = mask && { mask };
  return {
    kind: 'group',
    transform: IDENTITY,
    opacity,
    blend: 'normal',
    clip,
    filters,
    ...masked,
    text: null,
    ops: [],
  };
}

/** Groups are never empty otherwise. */
const isMark = ({ ops }: GroupOp) => ops.length === 0;

/**
 * The group of a masked element. A mask hides what lies behind the group (Filter Effects 2 §3, backdrop root), but not
 * what lies behind the element itself: its mark stays outside, with the mask.
 */
export function maskedGroup(
  properties: Pick<GroupOp, 'transform' | 'opacity' | 'blend'>,
  mask: readonly PaintOp[],
  ops: readonly PaintOp[],
): readonly PaintOp[] {
  const own = ops.flatMap((op) => markWith(mask, op));
  const rest = ops.filter((op) => markWith(mask, op).length === 0);
  if (own.length === 0) return group({ ...properties, mask }, ops);
  return [...group({ transform: properties.transform }, own), ...group({ ...properties, mask }, rest)];
}

/** A mark, clipped or not, with a mask; nothing if it is none. */
function markWith(mask: readonly PaintOp[], op: PaintOp): readonly PaintOp[] {
  if (op.kind !== 'group') return [];
  if (isMark(op)) return [{ ...op, mask }];
  const [only] = op.ops;
  if (!only || op.ops.length > 1 || !isPassThrough(op) || !isIdentity(op.transform)) return [];
  return group({ clip: op.clip }, markWith(mask, only));
}

const marked = new WeakMap<GroupOp, boolean>();

function hasMark(op: PaintOp): boolean {
  if (op.kind !== 'group') return false;
  let has = marked.get(op);
  if (has === undefined) {
    has = isMark(op) || op.ops.some(hasMark);
    marked.set(op, has);
  }
  return has;
}

/** Each backdrop is painted again for those over it, so their number is limited. */
const MOST = 16;
/** How deep backdrops are repeated within backdrops: a third one, blurred twice more, would not be seen. */
const DEPTH = 2;

/**
 * Fills all marks. Operations without a mark inside are the same objects as before.
 *
 * @throws ValidationError when there are too many of them
 */
export function withBackdrops(ops: readonly PaintOp[], fonts: FontSet, owners: Owners | undefined): readonly PaintOp[] {
  if (!ops.some(hasMark)) return ops;
  if (countMarks(ops) > MOST) throw new ValidationError('layers', `at most ${MOST} layers may have backdropFilters`);
  return filled(ops, [], DEPTH, fonts, owners);
}

function countMarks(ops: readonly PaintOp[]): number {
  let count = 0;
  for (const op of ops) {
    if (op.kind === 'group' && hasMark(op)) count += isMark(op) ? 1 : countMarks(op.ops);
  }
  return count;
}

/**
 * @param below what was painted before, in the same coordinates, with its marks
 * @param depth 0: marks are left out
 */
function filled(
  ops: readonly PaintOp[],
  below: readonly PaintOp[],
  depth: number,
  fonts: FontSet,
  owners: Owners | undefined,
): readonly PaintOp[] {
  return ops.flatMap((op, i): readonly PaintOp[] => {
    if (op.kind !== 'group' || !hasMark(op)) return [op];
    if (isMark(op) && depth === 0) return [];
    const before = [...below, ...ops.slice(0, i)];
    const inner = isMark(op)
      ? seenThrough(op, filled(before, [], depth - 1, fonts, undefined), fonts)
      : filled(op.ops, seenFrom(op, before), depth, fonts, owners);
    const made = { ...op, ops: inner };
    const owner = owners?.get(op);
    if (owner !== undefined) owners?.set(made, owner);
    return [made];
  });
}

/** What operations in a group have behind them: nothing but the group itself if it is composited as a whole. */
function seenFrom(around: GroupOp, before: readonly PaintOp[]): readonly PaintOp[] {
  if (!isPassThrough(around)) return [];
  const inverse = invert(around.transform);
  return inverse ? group({ transform: inverse }, before) : [];
}

/** The operations that reach the area of a mark. */
function seenThrough({ clip, filters }: GroupOp, ops: readonly PaintOp[], fonts: FontSet): readonly PaintOp[] {
  const window = clip && pathBounds(clip.path);
  if (!window) return [];
  const reach = inflate(window, filterReach(filters) + 1);
  const near = ops.filter((op) => {
    const bounds = opBounds(op, fonts);
    return bounds !== null && rectsOverlap(bounds, reach);
  });
  return near.flatMap(copied);
}

/**
 * The operation for a second time. Links are areas to click, for which once is enough; pictures and groups become
 * objects of their own, as back ends remember by object how they draw each.
 */
function copied(op: PaintOp): readonly PaintOp[] {
  if (op.kind === 'link') return [];
  if (op.kind === 'image') return [{ ...op }];
  if (op.kind !== 'group') return [op];
  return [{ ...op, ...(op.mask && { mask: op.mask.flatMap(copied) }), ops: op.ops.flatMap(copied) }];
}
