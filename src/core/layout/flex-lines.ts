// Breaks the items of a wrapping flex frame into lines (CSS Flexbox 1, section 9.3), and computes its intrinsic widths
// (section 9.9).

import type { SceneNode } from '../resolve/scene.ts';
import { bordered, type FlexFrame, isCells, isRow, limits, marginsAlong, rigidSize } from './axis.ts';
import { type AvailableSpace, type FlexItem, type FlexLine, flexItem } from './flex-item.ts';
import { type BoxSize, type Flow, type IntrinsicWidths, LazyWidths } from './fragment.ts';

/** The content box of a frame. */
export function availableSpaceIn(frame: FlexFrame, box: BoxSize): AvailableSpace {
  const rigid = { width: rigidSize(frame, true), height: rigidSize(frame, false) };
  const { min, max } = box.isUnbounded ? NO_LIMITS : limits(frame.placement, false);
  const minHeight = Math.max(0, (min ?? 0) - rigid.height);
  return {
    width: Math.max(0, box.width - rigid.width),
    height: box.height === null ? null : Math.max(0, box.height - rigid.height),
    minHeight,
    maxHeight: Math.max(minHeight, max - rigid.height),
    hugs: box.hugs,
  };
}

/**
 * Section 9.3: the lines, and the frame's main size. Computed in doubles: in yoga's floats, a frame that hugs three
 * thirds may find them too long by a millionth.
 */
export function breakFlexLines(
  frame: FlexFrame,
  room: AvailableSpace,
  items: readonly FlexItem[],
): { readonly main: number; readonly lines: readonly FlexLine[] } {
  const { layout } = frame;
  const row = isRow(frame);
  const gap = row ? layout.columnGap : layout.rowGap;
  const known = row ? room.width : room.height;
  const longest = layout.wrap === 'nowrap' ? Number.POSITIVE_INFINITY : (known ?? room.maxHeight);

  const lines: { start: number; end: number; length: number; taken: number }[] = [];
  let content = 0;
  for (let i = 0; i < items.length; i++) {
    const { hypothetical = 0, margins = 0 } = items[i] ?? {};
    const size = hypothetical + margins;
    const line = lines.at(-1);
    if (line && line.length + gap + size <= longest + TOLERANCE) {
      line.end = i + 1;
      line.length += gap + size;
      line.taken += gap + margins;
    } else lines.push({ start: i, end: i + 1, length: size, taken: margins });
    content = Math.max(content, lines.at(-1)?.length ?? 0);
  }
  const main = known ?? Math.max(room.minHeight, Math.min(content, room.maxHeight));
  return { main, lines: lines.map(({ start, end, taken }) => ({ start, end, room: main - taken })) };
}

const NO_LIMITS = { min: null, max: Number.POSITIVE_INFINITY };
/** Rounding error allowed when comparing sums, px. */
const TOLERANCE = 0.001;

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
  const least = isCells(node) ? content.min : 0;
  const within = (width: number) => marginsAlong(p, true) + Math.max(least, bordered(node, true, width));
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
