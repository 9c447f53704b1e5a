// Reads the borders of a box: how wide they are, and what lies inside them.

import { type Edges, inset, type Rect } from '../geometry.ts';
import type { FrameNode, ImageNode } from '../resolve/scene.ts';

export type Bordered = Pick<FrameNode | ImageNode, 'border' | 'sideBorders'>;

/** The widths of the borders, px. */
export function borderWidths({ border, sideBorders }: Bordered): Edges {
  if (sideBorders === null) {
    const width = border?.width ?? 0;
    return { top: width, right: width, bottom: width, left: width };
  }
  const { top, right, bottom, left } = sideBorders;
  return { top: top?.width ?? 0, right: right?.width ?? 0, bottom: bottom?.width ?? 0, left: left?.width ?? 0 };
}

/** The widths of the borders of an axis together, px. */
export function bordersAlong({ border, sideBorders }: Bordered, horizontal: boolean): number {
  if (sideBorders === null) return 2 * (border?.width ?? 0);
  const [first, last] = horizontal ? [sideBorders.left, sideBorders.right] : [sideBorders.top, sideBorders.bottom];
  return (first?.width ?? 0) + (last?.width ?? 0);
}

/** A border box without its borders, at most empty. */
export function paddingBoxOf(node: Bordered, rect: Rect): Rect {
  if (node.sideBorders === null) return inset(rect, node.border?.width ?? 0);
  const { top, right, bottom, left } = fittingWidths(borderWidths(node), rect);
  return { x: rect.x + left, y: rect.y + top, width: rect.width - left - right, height: rect.height - top - bottom };
}

/** Border widths that do not overlap in their box: both of an axis shrink alike. */
export function fittingWidths({ top, right, bottom, left }: Edges, { width, height }: Rect): Edges {
  const across = left + right > width ? Math.max(0, width) / (left + right) : 1;
  const down = top + bottom > height ? Math.max(0, height) / (top + bottom) : 1;
  return { top: top * down, right: right * across, bottom: bottom * down, left: left * across };
}

/**
 * The width of the widest border, px. Where borders differ, the corners inside are elliptical (`paddingEdge` in paint);
 * round ones of the radius that this leaves cut off no more than those.
 */
export function widestBorder(node: Bordered): number {
  if (node.sideBorders === null) return node.border?.width ?? 0;
  const { top, right, bottom, left } = borderWidths(node);
  return Math.max(top, right, bottom, left);
}
