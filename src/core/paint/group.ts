// Makes groups of operations, but only where a group has an effect.
//
// Invariant: a group that only clips or transforms contains nothing that blends with the group's backdrop. So it makes
// no difference whether a back end draws its children directly or on a surface of their own.

import { type Corners, IDENTITY, inset, invert, isIdentity, type Rect, rectContains } from '../geometry.ts';
import { transformPath } from '../path.ts';
import type { FontSet } from '../text/font-set.ts';
import { opsBounds } from './bounds.ts';
import type { Clip, GroupOp, PaintOp } from './display-list.ts';
import { depthOf, roundedRectPath } from './outline.ts';

/** Wraps `ops` in a group with these properties; returns them as they are if the group would be empty or neutral. */
export function group(properties: Partial<Omit<GroupOp, 'kind' | 'ops'>>, ops: readonly PaintOp[]): readonly PaintOp[] {
  if (ops.length === 0) return ops;
  const { transform = IDENTITY, opacity = 1, blend = 'normal', clip = null, filters = [], text = null } = properties;
  const mask = properties.mask && { mask: properties.mask };
  const made: GroupOp = { kind: 'group', transform, opacity, blend, clip, filters, ...mask, text, ops };
  return isPassThrough(made) && clip === null && text === null && isIdentity(transform) ? ops : [made];
}

/** Clips `ops` to an outline; operations that blend with the backdrop still do. */
export function clipped(ops: readonly PaintOp[], clip: Clip): readonly PaintOp[] {
  if (!ops.some(meetsBackdrop)) return group({ clip }, ops);
  return ops.flatMap((op) => {
    if (op.kind !== 'group' || !meetsBackdrop(op)) return group({ clip }, [op]);
    if (op.blend !== 'normal') return group({ clip, blend: op.blend }, group({ ...op, blend: 'normal' }, op.ops));
    const inverse = invert(op.transform);
    if (!inverse) return [];
    return [{ ...op, ops: clipped(op.ops, { path: transformPath(clip.path, inverse), rule: clip.rule }) }];
  });
}

/** Clips `ops` to a box with round corners, unless they lie within it anyway. */
export function clippedToBox(ops: readonly PaintOp[], box: Rect, radii: Corners, fonts: FontSet): readonly PaintOp[] {
  const bounds = opsBounds(ops, fonts);
  // A round corner clips nothing that stays this far from both of its sides.
  const corner = depthOf(radii);
  if (bounds === null || rectContains(inset(box, corner), bounds)) return ops;
  return clipped(ops, { path: roundedRectPath(box, radii), rule: 'nonzero' });
}

/** Whether a group is only a coordinate system and a clip. */
export function isPassThrough({ opacity, blend, filters, mask }: GroupOp): boolean {
  return opacity === 1 && blend === 'normal' && filters.length === 0 && mask === undefined;
}

/** Whether the result of an operation depends on the backdrop of the group that contains it. */
function meetsBackdrop(op: PaintOp): boolean {
  return op.kind === 'group' && (op.blend !== 'normal' || (isPassThrough(op) && op.ops.some(meetsBackdrop)));
}
