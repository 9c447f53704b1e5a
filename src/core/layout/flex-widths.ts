// How narrow and how wide a flex frame's content lets it be: CSS Flexbox 1, section 9.9.

import type { Dimension, SceneNode } from '../resolve/scene.ts';
import { type FlexFrame, isRow, limits, marginsAlong, rigidSize } from './axis.ts';
import { type Flow, type IntrinsicWidths, LazyWidths } from './fragment.ts';

/** The intrinsic widths of a flex frame's border box. */
export function flexWidths(flow: Flow, frame: FlexFrame): IntrinsicWidths {
  const { layout } = frame;
  const row = isRow(frame);
  const items = flow.items(frame).map((node) => contribution(flow, node, row ? node.placement.flexBasis : null));
  const rigid = rigidSize(frame, true);
  const gaps = layout.columnGap * Math.max(0, items.length - 1);
  let max = row ? gaps : 0;
  for (const item of items) max = row ? max + item.max : Math.max(max, item.max);
  return new LazyWidths(rigid + max, () => {
    const isOneLine = row && layout.wrap === 'nowrap';
    let min = isOneLine ? gaps : 0;
    for (const item of items) min = isOneLine ? min + item.min : Math.max(min, item.min);
    return rigid + Math.min(min, max);
  });
}

/**
 * What a child asks of its frame's width, margins included.
 *
 * @param basis the child's flex basis, where its width is its main size
 */
export function contribution(flow: Flow, node: SceneNode, basis: Dimension | null): IntrinsicWidths {
  const p = node.placement;
  const content = flow.contentWidths(node, p.height.kind === 'px' ? p.height.value : null);
  const { min, max } = limits(p, true);
  const margins = marginsAlong(p, true);
  const within = (width: number) => margins + Math.max(min ?? 0, Math.min(Math.max(width, rigidSize(node, true)), max));
  const given = p.width.kind === 'px' ? p.width.value : null;
  if (basis?.kind !== 'px') {
    return new LazyWidths(within(given ?? content.max), () => within(given ?? content.min));
  }
  const floor = min === null && flow.keepsWhole(node) ? content.min : 0;
  const asked = within(Math.max(floor, basis.value));
  return { min: asked, max: asked };
}
