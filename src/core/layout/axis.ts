// Reads a box along one axis: the main axis of a frame, size limits, margins, padding and border.

import type { FlexLayout, FrameNode, Placement, SceneNode } from '../resolve/scene.ts';

export type FlexFrame = FrameNode & { readonly layout: FlexLayout };

export function isFlex(node: SceneNode): node is FlexFrame {
  return node.type === 'frame' && node.layout?.type === 'flex';
}

/** Whether a flex frame's main axis is horizontal. */
export function isRow({ layout }: FlexFrame): boolean {
  return layout.direction === 'row' || layout.direction === 'row-reverse';
}

/** CSS min- and max-width or -height; a minimum of null is CSS's `auto`. */
export function limits(
  placement: Placement,
  horizontal: boolean,
): { readonly min: number | null; readonly max: number } {
  return horizontal
    ? { min: placement.minWidth, max: placement.maxWidth ?? Number.POSITIVE_INFINITY }
    : { min: placement.minHeight, max: placement.maxHeight ?? Number.POSITIVE_INFINITY };
}

/** A border box's size between minimum and maximum; neither cuts into padding and border. */
export function bordered(node: SceneNode, horizontal: boolean, size: number): number {
  const { min, max } = limits(node.placement, horizontal);
  return Math.max(min ?? 0, rigidSize(node, horizontal), Math.min(size, max));
}

/** Clamps a width by the height limits, transferred through the aspect ratio (CSS Sizing 4, 5.1.2). */
export function transferred({ minHeight, maxHeight }: Placement, ratio: number, width: number): number {
  return Math.max((minHeight ?? 0) * ratio, Math.min(width, (maxHeight ?? Number.POSITIVE_INFINITY) * ratio));
}

/** The margins at both ends of an axis, px together. */
export function marginsAlong({ margin }: Placement, horizontal: boolean): number {
  return horizontal ? margin.left + margin.right : margin.top + margin.bottom;
}

/** Padding plus border of a frame on one axis, px; 0 for all other nodes. */
export function rigidSize(node: SceneNode, horizontal: boolean): number {
  if (node.type !== 'frame') return 0;
  const { padding, border } = node;
  const first = horizontal ? padding.left : padding.top;
  const last = horizontal ? padding.right : padding.bottom;
  return Math.max(0, first) + Math.max(0, last) + 2 * (border?.width ?? 0);
}

/** The corner of a frame's content box in its border box. */
export function contentOrigin({ padding, border }: FrameNode): { readonly x: number; readonly y: number } {
  const width = border?.width ?? 0;
  return { x: Math.max(0, padding.left) + width, y: Math.max(0, padding.top) + width };
}
