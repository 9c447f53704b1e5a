// Reads a box along one axis: the main axis of a frame, size limits, margins, padding and border.

import type { Point } from '../geometry.ts';
import type {
  BlockLayout,
  CellsLayout,
  Columns,
  FlexLayout,
  FrameNode,
  GridLayout,
  Length,
  Placement,
  SceneNode,
  TextNode,
} from '../resolve/scene.ts';
import { bordersAlong } from './border-box.ts';

export type FlexFrame = FrameNode & { readonly layout: FlexLayout };

export function isFlex(node: SceneNode): node is FlexFrame {
  return node.type === 'frame' && node.layout?.type === 'flex';
}

export type GridFrame = FrameNode & { readonly layout: GridLayout };

export const isGrid = (node: SceneNode): node is GridFrame => node.type === 'frame' && node.layout?.type === 'grid';

export type BlockFrame = FrameNode & { readonly layout: BlockLayout };

export const isBlock = (node: SceneNode): node is BlockFrame => node.type === 'frame' && node.layout?.type === 'block';

export type ColumnsFrame = FrameNode & { readonly layout: BlockLayout & { readonly columns: Columns } };

export const isColumns = (node: SceneNode): node is ColumnsFrame =>
  node.type === 'frame' && node.layout?.type === 'block' && node.layout.columns !== undefined;

export type CellsFrame = FrameNode & { readonly layout: CellsLayout };

export const isCells = (node: SceneNode): node is CellsFrame => node.type === 'frame' && node.layout?.type === 'cells';

/** Whether a text's lines need more than letters. */
export const hasBoxes = (node: TextNode): boolean =>
  node.firstLine !== undefined || node.spans.some(({ atom, within }) => atom || within);

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

/** How far CSS's relative positioning moves a node, px; null = not. Percentages of an unknown height count as none. */
export function shiftOf(
  { inset }: Placement,
  direction: FrameNode['direction'],
  width: number,
  height: number | null,
): Point | null {
  if (inset === null) return null;
  const along = (start: Length | null, end: Length | null, whole: number | null, fromEnd: boolean) => {
    const [first, second] = fromEnd ? [end, start] : [start, end];
    const sign = fromEnd ? -1 : 1;
    return sign * (lengthOf(first, whole) ?? -(lengthOf(second, whole) ?? 0));
  };
  return {
    x: along(inset.left, inset.right, width, direction === 'rtl'),
    y: along(inset.top, inset.bottom, height, false),
  };
}

/** px. */
export const percentOf = (
  { value, plus = 0 }: { readonly value: number; readonly plus?: number },
  whole: number,
): number => (value / 100) * whole + plus;

/** px; null for `auto` and for a percentage of what is not known. */
export function lengthOf(length: Length | null, whole: number | null): number | null {
  if (length?.kind !== 'percent') return length?.value ?? null;
  return whole === null ? null : percentOf(length, whole);
}

/** Whether a margin of the axis takes the free space. */
export function hasAutoMargin({ autoMargins }: Placement, horizontal: boolean): boolean {
  if (autoMargins === null) return false;
  return horizontal ? autoMargins.left || autoMargins.right : autoMargins.top || autoMargins.bottom;
}

/** The margins at both ends of an axis, px together. */
export function marginsAlong({ margin }: Placement, horizontal: boolean): number {
  return horizontal ? margin.left + margin.right : margin.top + margin.bottom;
}

/** Padding plus border of a frame on one axis, px; 0 for all other nodes. */
export function rigidSize(node: SceneNode, horizontal: boolean): number {
  if (node.type !== 'frame') return 0;
  const { padding } = node;
  const first = horizontal ? padding.left : padding.top;
  const last = horizontal ? padding.right : padding.bottom;
  return Math.max(0, first) + Math.max(0, last) + bordersAlong(node, horizontal);
}

/** The corner of a frame's content box in its border box. */
export function contentOrigin(frame: FrameNode): Point {
  const { padding, border, sideBorders } = frame;
  const { left, top } = sideBorders ?? { left: border, top: border };
  return { x: Math.max(0, padding.left) + (left?.width ?? 0), y: Math.max(0, padding.top) + (top?.width ?? 0) };
}
