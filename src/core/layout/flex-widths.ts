// Computes the intrinsic widths of a flex frame (CSS Flexbox 1, section 9.9).

import type { SceneNode } from '../resolve/scene.ts';
import { bordered, type FlexFrame, isRow, marginsAlong, rigidSize } from './axis.ts';
import { flexItem } from './flex-item.ts';
import { availableSpaceIn, breakFlexLines } from './flex-lines.ts';
import { type Flow, type IntrinsicWidths, LazyWidths } from './fragment.ts';

/**
 * The intrinsic widths of a flex frame's border box.
 *
 * @param height the border box's height where it is known: it decides how many lines a wrapping column has
 */
export function flexWidths(flow: Flow, frame: FlexFrame, height: number | null): IntrinsicWidths {
  const { layout } = frame;
  const row = isRow(frame);
  const items = flow.items(frame).map((node) => contribution(flow, node, row));
  const rigid = rigidSize(frame, true);
  const gaps = layout.columnGap * Math.max(0, items.length - 1);
  let max = row ? gaps : 0;
  for (const item of items) max = row ? max + item.max : Math.max(max, item.max);
  const wraps = !row && layout.wrap !== 'nowrap' && (height ?? frame.placement.maxHeight) !== null;
  return new LazyWidths(rigid + (wraps ? linesWidth(flow, frame, max, height) : max), () => {
    const isOneLine = row && layout.wrap === 'nowrap';
    let min = isOneLine ? gaps : 0;
    for (const item of items) min = isOneLine ? min + item.min : Math.max(min, item.min);
    return rigid + Math.min(min, max);
  });
}

/**
 * The width of a wrapping column's lines side by side. As in Chromium, each is measured with room for the widest item.
 */
function linesWidth(flow: Flow, frame: FlexFrame, widest: number, height: number | null): number {
  const room = availableSpaceIn(frame, { width: widest + rigidSize(frame, true), height, hugs: true });
  const items = flow.items(frame).map((node) => flexItem(flow, frame, room, node));
  const { lines } = breakFlexLines(frame, room, items);
  const widths = lines.map(({ start, end }) =>
    Math.max(...items.slice(start, end).map(({ cross, node }) => (cross ?? 0) + marginsAlong(node.placement, true))),
  );
  return widths.reduce((sum, width) => sum + width, frame.layout.columnGap * Math.max(0, lines.length - 1));
}

/**
 * The min- and max-content contribution of a child to its frame's width, margins included.
 *
 * @param isMain whether its width is its main size, for which its flex basis counts
 */
export function contribution(flow: Flow, child: SceneNode, isMain: boolean): IntrinsicWidths {
  const node = flow.settled(child, null, UNKNOWN);
  const p = node.placement;
  const basis = isMain ? p.flexBasis : null;
  const content = flow.contentWidths(node, p.height.kind === 'px' ? p.height.value : null);
  const within = (width: number) => marginsAlong(p, true) + bordered(node, true, width);
  const given = p.width.kind === 'px' ? p.width.value : null;
  if (basis?.kind !== 'px') {
    return new LazyWidths(within(given ?? content.max), () => within(given ?? content.min));
  }
  // The basis is a maximum for an item that cannot grow, and a minimum for one that cannot shrink.
  const flexed = (width: number) => {
    const most = p.flexGrow === 0 ? Math.min(width, basis.value) : width;
    const asked = p.flexShrink === 0 ? Math.max(most, basis.value) : most;
    const floor = p.minWidth === null && flow.keepsWhole(node) ? Math.min(content.min, given ?? content.min) : 0;
    return within(Math.max(floor, asked));
  };
  return new LazyWidths(flexed(given ?? content.max), () => flexed(given ?? content.min));
}

const UNKNOWN = { width: null, height: null };
