// Finds the single picture of which a group consists; such a group needs no layer.

import { type Matrix, multiply } from '#core/geometry.ts';
import type { GroupOp } from '#core/paint/display-list.ts';
import type { DeviceClip } from './paint-picture.ts';
import type { ImageOp } from './place-images.ts';

/** The picture inside nested groups that only transform it, clip it at most once and set its opacity; else null. */
export function lonePicture(
  group: GroupOp,
  matrix: Matrix,
): { op: ImageOp; matrix: Matrix; clip: DeviceClip | null; opacity: number } | null {
  let clip: DeviceClip | null = group.clip && { ...group.clip, matrix };
  let { opacity } = group;
  let toDevice = matrix;
  let inner = group.ops.length === 1 ? group.ops[0] : undefined;
  while (inner?.kind === 'group') {
    if (inner.filters.length > 0 || inner.blend !== 'normal' || inner.mask || inner.ops.length !== 1) return null;
    toDevice = multiply(toDevice, inner.transform);
    if (inner.clip && clip) return null;
    if (inner.clip) clip = { ...inner.clip, matrix: toDevice };
    opacity *= inner.opacity;
    inner = inner.ops[0];
  }
  return inner?.kind === 'image' ? { op: inner, matrix: toDevice, clip, opacity } : null;
}
