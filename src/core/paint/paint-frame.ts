// A frame's box and its painted children in, background, border and children out, in CSS's order.

import { inset, type Rect } from '../geometry.ts';
import type { FrameNode } from '../resolve/scene.ts';
import type { FontSet } from '../text/font-set.ts';
import { borderOps } from './border.ts';
import type { PaintOp } from './display-list.ts';
import { brushFor, isOpaqueBrush } from './gradient.ts';
import { clippedToBox } from './group.ts';
import { fitRadii, innerRadii, roundedRectPath } from './outline.ts';
import type { Painted } from './painted.ts';
import { insetShadows } from './shadow.ts';

export function paintFrame(node: FrameNode, box: Rect, children: readonly PaintOp[], fonts: FontSet): Painted {
  const { border } = node;
  const radii = fitRadii(box, node.radii);
  const paddingBox = inset(box, border?.width ?? 0);
  const paddingRadii = innerRadii(radii, border?.width ?? 0);
  const background = backgroundOps(node, box, paddingBox);
  return {
    ops: [
      ...background,
      ...insetShadows(node.shadows, { kind: 'rect', radii: paddingRadii }, paddingBox),
      ...(border ? borderOps(box, radii, border) : []),
      ...(node.clip ? clippedToBox(children, paddingBox, paddingRadii, fonts) : children),
    ],
    caster: {
      outline: { kind: 'rect', radii },
      box,
      reach: 0,
      opaque: background.some((op) => op.kind === 'fill' && isOpaqueBrush(op.brush)),
    },
  };
}

function backgroundOps({ background, border, radii }: FrameNode, box: Rect, paddingBox: Rect): readonly PaintOp[] {
  if (background === null || box.width <= 0 || box.height <= 0) return [];
  // Under an opaque border the background ends half-way, or its colour would show along the border's soft outer edge.
  const hidden = border?.style === 'solid' && border.color.a === 1 ? border.width / 2 : 0;
  const path = roundedRectPath(inset(box, hidden), innerRadii(fitRadii(box, radii), hidden));
  return [{ kind: 'fill', path, rule: 'nonzero', brush: brushFor(background, paddingBox) }];
}
