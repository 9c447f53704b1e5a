// Formats paint operations as short lines, for readable expectations.

import { type Color, hex } from '#core/color.ts';
import { isIdentity, type Rect } from '#core/geometry.ts';
import type { Brush, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { pathBounds } from '#core/path.ts';

const round = (value: number) => Math.round(value * 100) / 100;

export function showRect(rect: Rect | null): string {
  return rect ? `${round(rect.x)},${round(rect.y)} ${round(rect.width)}×${round(rect.height)}` : 'nothing';
}

const showColor = (color: Color) => hex(color) + (color.a === 1 ? '' : `/${round(color.a)}`);

function showBrush(brush: Brush | null): string {
  if (brush === null) return 'none';
  return brush.kind === 'solid' ? showColor(brush.color) : brush.kind;
}

/** `fill 0,0 20×10 #ff0000`, one line per operation; the contents of a group are indented. */
export function showOps(ops: readonly PaintOp[], indent = ''): string[] {
  return ops.flatMap((op) =>
    op.kind === 'group'
      ? [
          `${indent}group${showGroup(op)}`,
          ...showOps(op.mask ?? [], `${indent}  mask `),
          ...showOps(op.ops, `${indent}  `),
        ]
      : `${indent}${op.kind} ${showLeaf(op)}`,
  );
}

function showLeaf(op: Exclude<PaintOp, GroupOp>): string {
  switch (op.kind) {
    case 'fill':
      return `${showRect(pathBounds(op.path))} ${showBrush(op.brush)}`;
    case 'stroke':
      return `${showRect(pathBounds(op.path))} ${round(op.stroke.width)} ${showBrush(op.brush)}`;
    case 'glyphs': {
      const outline = op.outline ? ` outlined ${round(op.outline.stroke.width)} ${showBrush(op.outline.brush)}` : '';
      return `${JSON.stringify(op.run.text)} ${showBrush(op.brush)}${outline}`;
    }
    case 'image':
      return `${op.image} ${showRect(op.source)} → ${showRect(op.dest)}`;
    case 'link':
      return `${showRect(op.rect)} ${op.href}`;
  }
}

function showGroup(op: GroupOp): string {
  const parts = [
    isIdentity(op.transform) ? '' : ` matrix(${op.transform.map(round).join(' ')})`,
    op.opacity === 1 ? '' : ` opacity ${round(op.opacity)}`,
    op.blend === 'normal' ? '' : ` ${op.blend}`,
    op.clip ? ` clip ${showRect(pathBounds(op.clip.path))}${op.clip.rule === 'evenodd' ? ' evenodd' : ''}` : '',
    ...op.filters.map((filter) => (filter.kind === 'blur' ? ` blur ${round(filter.sigma)}` : ' color-matrix')),
  ];
  return parts.join('');
}
