// Paints a shape: fill, inset shadows and stroke.

import { isSameRect, type Rect } from '../geometry.ts';
import type { PathData } from '../path.ts';
import type { ShapeNode } from '../resolve/scene.ts';
import type { PaintOp } from './display-list.ts';
import { brushFor, isOpaqueBrush } from './gradient.ts';
import { memoizePaint } from './memoize-paint.ts';
import { outlinePath } from './outline.ts';
import type { PaintResult } from './paint-result.ts';
import { insetShadows } from './shadow.ts';

/** SVG's default: corners sharper than about 29 degrees are bevelled. */
const MITER_LIMIT = 4;

export const paintShape = memoizePaint(isSameRect, (node: ShapeNode, box: Rect): PaintResult => {
  const path = outlinePath(node.outline, box);
  const stroke = strokeOps(node, path, box);
  // Neither a line nor a box without area has an inside.
  if (node.fill === null || node.outline.kind === 'line' || box.width <= 0 || box.height <= 0) {
    return { ops: stroke, caster: null };
  }
  const brush = brushFor(node.fill, box);
  return {
    ops: [
      { kind: 'fill', path, rule: node.fillRule, brush },
      ...insetShadows(node.shadows, node.outline, box),
      ...stroke,
    ],
    caster: {
      outline: node.outline,
      box,
      reach: stroke.length > 0 && node.stroke ? node.stroke.width / 2 : 0,
      opaque: isOpaqueBrush(brush) && (node.stroke === null || isOpaqueBrush(brushFor(node.stroke.fill, box))),
    },
  };
});

function strokeOps({ stroke }: ShapeNode, path: PathData, box: Rect): readonly PaintOp[] {
  if (stroke === null || stroke.width <= 0 || path.length === 0) return [];
  const { width, dash, cap, join } = stroke;
  // As in SVG and PDF, a pattern without any length is a solid line.
  const dashed = dash.some((length) => length > 0);
  return [
    {
      kind: 'stroke',
      path,
      stroke: { width, cap, join, miterLimit: MITER_LIMIT, dash: dashed ? dash : [] },
      brush: brushFor(stroke.fill, box),
    },
  ];
}
