// How narrow and how wide a flex frame's content lets it be: CSS Flexbox 1, section 9.9.

import type { Dimension, SceneNode } from '../resolve/scene.ts';
import { type FlexFrame, isRow, limits, marginsAlong, rigidSize } from './axis.ts';
import type { Flow, IntrinsicWidths } from './fragment.ts';

/** The intrinsic widths of a flex frame's border box. */
export function flexWidths(flow: Flow, frame: FlexFrame): IntrinsicWidths {
  const { layout } = frame;
  const row = isRow(frame);
  const items = flow.items(frame).map((node) => contribution(flow, node, row ? node.placement.flexBasis : null));
  const rigid = rigidSize(frame, true);
  const widest = (of: (item: IntrinsicWidths) => number) => Math.max(0, ...items.map(of));
  const gaps = layout.columnGap * Math.max(0, items.length - 1);
  const total = (of: (item: IntrinsicWidths) => number) => items.reduce((sum, item) => sum + of(item), gaps);
  const max = row ? total((item) => item.max) : widest((item) => item.max);
  const min = row && layout.wrap === 'nowrap' ? total((item) => item.min) : widest((item) => item.min);
  return { min: rigid + Math.min(min, max), max: rigid + max };
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
  const asked = (width: number, floor: number) => {
    const own = basis?.kind === 'px' ? Math.max(floor, basis.value) : p.width.kind === 'px' ? p.width.value : width;
    return margins + Math.max(min ?? 0, Math.min(Math.max(own, rigidSize(node, true)), max));
  };
  const floor = min === null && flow.keepsWhole(node) ? content.min : 0;
  return { min: asked(content.min, floor), max: asked(content.max, floor) };
}
