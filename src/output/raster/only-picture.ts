// Finds the single picture that a group consists of; such a group needs no layer.

import { type Matrix, multiply } from '#core/geometry.ts';
import type { GroupOp } from '#core/paint/display-list.ts';
import type { DeviceClip } from './paint-picture.ts';
import type { ImageOp } from './place-images.ts';

/** A picture that groups of one operation only move, cut once and fade. */
export function onlyPicture(
  group: GroupOp,
  matrix: Matrix,
): { op: ImageOp; matrix: Matrix; clip: DeviceClip | null; opacity: number } | null {
  let clip: DeviceClip | null = group.clip && { ...group.clip, matrix };
  let { opacity } = group;
  let toDevice = matrix;
  let inner = group.ops.length === 1 ? group.ops[0] : undefined;
  while (inner?.kind === 'group') {
    if (inner.filters.length > 0 || inner.blend !== 'normal' || inner.ops.length !== 1) return null;
    toDevice = multiply(toDevice, inner.transform);
    if (inner.clip && clip) return null;
    if (inner.clip) clip = { ...inner.clip, matrix: toDevice };
    opacity *= inner.opacity;
    inner = inner.ops[0];
  }
  return inner?.kind === 'image' ? { op: inner, matrix: toDevice, clip, opacity } : null;
}
