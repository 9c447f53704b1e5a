// A frame's main and cross axis: which of width and height is meant, and at which side things start.
//
// Flex layout is written once, along a main and across it; here the two become x and y. A reversed or right-to-left
// axis is laid out from its start like any other, and mirrored at the end.

import type { Edges, Size } from '../geometry.ts';
import type { FlexLayout, FrameNode, Placement, SceneNode } from '../resolve/scene.ts';

export interface Axes {
  /** Whether the main axis is horizontal. */
  readonly row: boolean;
  /** Whether the main axis starts at the right or at the bottom. */
  readonly mainReversed: boolean;
  /** Whether the cross axis starts there. */
  readonly crossReversed: boolean;
}

export type FlexFrame = FrameNode & { readonly layout: FlexLayout };

export function isFlex(node: SceneNode): node is FlexFrame {
  return node.type === 'frame' && node.layout?.type === 'flex';
}

export function axesOf({ layout, direction }: FlexFrame): Axes {
  const row = layout.direction === 'row' || layout.direction === 'row-reverse';
  const reversed = layout.direction === 'row-reverse' || layout.direction === 'column-reverse';
  const rtl = direction === 'rtl';
  const wrapReversed = layout.wrap === 'wrap-reverse';
  return { row, mainReversed: reversed !== (row && rtl), crossReversed: wrapReversed !== (!row && rtl) };
}

export const mainOf = ({ row }: Axes, size: Size): number => (row ? size.width : size.height);
export const crossOf = ({ row }: Axes, size: Size): number => (row ? size.height : size.width);

/** A margin at an axis's own start and end. */
export interface Sides {
  readonly start: number;
  readonly end: number;
}

export function sides(edges: Edges, horizontal: boolean, reversed: boolean): Sides {
  const [first, last] = horizontal ? [edges.left, edges.right] : [edges.top, edges.bottom];
  return reversed ? { start: last, end: first } : { start: first, end: last };
}

/** CSS min- and max-width or -height; a minimum of null is CSS's `auto`. */
export function limits(
  placement: Placement,
  horizontal: boolean,
): { readonly min: number | null; readonly max: number } {
  const [min, max] = horizontal ? [placement.minWidth, placement.maxWidth] : [placement.minHeight, placement.maxHeight];
  return { min, max: max ?? Number.POSITIVE_INFINITY };
}

/** What padding and border take of a box on one axis, px; nothing but frames has any that counts. */
export function rigidSize(node: SceneNode, horizontal: boolean): number {
  if (node.type !== 'frame') return 0;
  const { padding, border } = node;
  const [first, last] = horizontal ? [padding.left, padding.right] : [padding.top, padding.bottom];
  return Math.max(0, first) + Math.max(0, last) + 2 * (border?.width ?? 0);
}

/** The corner of a frame's content box in its border box. */
export function contentOrigin({ padding, border }: FrameNode): { readonly x: number; readonly y: number } {
  const width = border?.width ?? 0;
  return { x: Math.max(0, padding.left) + width, y: Math.max(0, padding.top) + width };
}
