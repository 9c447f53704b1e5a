// Finds the least and the most width of a box with its margins, for the block, the line or the table column that it is in.

import type { SceneNode } from '../resolve/scene.ts';
import { marginsAlong, rigidSize } from './axis.ts';
import { clampWidth } from './content-size.ts';
import type { Flow, IntrinsicWidths } from './fragment.ts';

/** The least and the most, with its margins, px. @param source the node before its relative sizes were settled */
export function outerWidths(flow: Flow, node: SceneNode, source: SceneNode = node): IntrinsicWidths {
  if (isCompressible(source)) return { min: 0, max: measured(flow, node).max };
  return measured(flow, node);
}

/** CSS Sizing 3, 5.2.2: a picture of which the width is a share of what is around it takes no room of its own there. */
const isCompressible = ({ type, placement }: SceneNode): boolean =>
  type === 'image' && (placement.width.kind === 'percent' || placement.relative?.maxWidth?.kind === 'percent');

function measured(flow: Flow, node: SceneNode): IntrinsicWidths {
  const { placement } = node;
  const { width } = placement;
  const margins = marginsAlong(placement, true);
  const rigid = rigidSize(node, true);
  if (width.kind === 'px') {
    const own = Math.max(rigid, clampWidth(placement, width.value)) + margins;
    return { min: own, max: own };
  }
  const { min, max } = flow.contentWidths(node, null);
  const clamp = (value: number) => Math.max(rigid, clampWidth(placement, value)) + margins;
  return { min: clamp(min), max: clamp(max) };
}
