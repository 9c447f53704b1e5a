// Lays out a flex frame at a known width (CSS Flexbox 1, section 9); yoga distributes the free space.
//
// Yoga lays out this frame alone (yoga-tree.ts): first on the main axis, where there is space to distribute, which
// gives each child's width and so its height; then on both axes. What yoga lacks of CSS is done around it: sizes by
// content (flex-item.ts), line breaks (flex-lines.ts), minimum and maximum (flexible-lengths.ts), and baselines.

import type { Point } from '../geometry.ts';
import {
  contentOrigin,
  type FlexFrame,
  hasAutoMargin,
  isRow,
  limits,
  marginsAlong,
  rigidSize,
  shiftOf,
} from './axis.ts';
import { type AvailableSpace, type FlexItem, type FlexLine, flexItem } from './flex-item.ts';
import { availableSpaceIn, breakFlexLines } from './flex-lines.ts';
import { bounded, resolveFlexibleLengths } from './flexible-lengths.ts';
import type { BoxSize, Flow, Fragment, PlacedFragment } from './fragment.ts';
import { withGaps } from './settle.ts';
import type { YogaTree } from './yoga-tree.ts';
import type { YogaTreeCache } from './yoga-tree-cache.ts';

/** What lays out a flex frame: with the trees of earlier layouts. */
export interface FlexFlow extends Flow {
  readonly trees: YogaTreeCache;
}

/** Lays out a flex frame; a height that is not given keeps the frame's minimum and maximum. */
export function layOutFlex(flow: FlexFlow, given: FlexFrame, box: BoxSize): Fragment {
  const room = availableSpaceIn(given, box);
  const frame = withGaps(given, room);
  const row = isRow(frame);
  const items = flow.items(frame).map((node) => flexItem(flow, frame, room, node));
  const { main, lines } = breakFlexLines(frame, room, items);
  const tree = flow.trees.take(frame, room, main, items, lines);
  try {
    const mainSizes = settleMainSizes(tree, items, lines);
    const isSafe = frame.layout.justify.startsWith('safe');
    if (isSafe || (isReversed(frame) && isSpacedAround(frame.layout.justify))) {
      packOverflowing(tree, frame, lines, mainSizes);
    }
    if (items.some(({ node }) => hasAutoMargin(node.placement, row))) dropAutoMargins(tree, lines, mainSizes);
    // The items before stretching.
    const natural = items.map((item, i) => sizeItem(flow, row, item, mainSizes[i] ?? 0));
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      const fragment = natural[i];
      if (!item || !fragment) break;
      const cross = row ? fragment.size.height : fragment.size.width;
      if (item.stretches) {
        const { min, max } = limits(item.node.placement, !row);
        tree.stretch(i, cross, Math.max(min ?? 0, rigidSize(item.node, !row)), max);
      } else tree.setCross(i, cross);
    }
    const isTurned = frame.layout.wrap === 'wrap-reverse' && isSpacedAround(frame.layout.alignContent);
    const isSafeAcross = frame.layout.wrap !== 'nowrap' && frame.layout.alignContent.startsWith('safe');
    if ((isTurned || isSafeAcross) && linesOverflow(frame, room, items, natural, lines)) {
      tree.packLinesTo(frame.layout.wrap === 'wrap-reverse' ? 'end' : 'start');
    }
    if (row) {
      const isUpward = frame.layout.wrap === 'wrap-reverse';
      for (const line of lines) alignBaselines(tree, items, natural, line, isUpward);
    }
    tree.layOut();

    const origin = contentOrigin(frame);
    const children: PlacedFragment[] = [];
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      const own = natural[i];
      if (!item || !own) break;
      const { x, y } = item.isSafe ? safeOrigin(tree, frame, item, own, i) : tree.originOf(i);
      const fragment = item.stretches ? stretchItem(flow, row, item, own, tree.crossOf(i)) : own;
      const shift = shiftOf(item.node.placement, frame.direction, room.width, room.height);
      children.push({ node: item.child, settled: item.node, x: origin.x + x, y: origin.y + y, shift, fragment });
    }
    const height = box.height ?? tree.height() + rigidSize(frame, false);
    const baseline = firstBaseline(frame, items, lines, children);
    return { size: { width: box.width, height }, baseline, children };
  } finally {
    flow.trees.give(frame, tree);
  }
}

/**
 * Section 9.7: the main size of each item. Yoga distributes a line's free space without minimums and maximums: given
 * those, it would start from clamped base sizes (its issue 1770) and check for violations only once (2006). If no item
 * violates a limit, yoga's sizes are those of CSS; otherwise resolveFlexibleLengths resolves the line.
 */
function settleMainSizes(tree: YogaTree, items: readonly FlexItem[], lines: readonly FlexLine[]): readonly number[] {
  const sharing = lines.map((line) => share(tree, items, line));
  if (sharing.includes('yoga')) tree.layOut();
  const sizes: number[] = [];
  for (let l = 0; l < lines.length; l++) {
    const line = lines[l];
    if (!line) break;
    let isHeldBack = false;
    for (let i = line.start; i < line.end; i++) {
      const item = items[i];
      if (!item) break;
      const trial = sharing[l] === 'yoga' ? nearest(tree.mainOf(i), item.base) : item.base;
      const size = bounded(item, trial);
      isHeldBack ||= !isNear(trial, size);
      sizes.push(size);
    }
    if (sharing[l] === 'css' || isHeldBack) settleByCss(tree, items, line, sizes);
  }
  return sizes;
}

const isReversed = ({ layout }: FlexFrame) => layout.direction.endsWith('reverse');
const isSpacedAround = (word: string) => word === 'space-around' || word === 'space-evenly';

/**
 * Without free space, `space-around` and `space-evenly` fall back to `safe center` (CSS Align 3, 5.3), which starts
 * where a line without `reverse` does, as all that is `safe`.
 */
function packOverflowing(
  tree: YogaTree,
  frame: FlexFrame,
  lines: readonly FlexLine[],
  mainSizes: readonly number[],
): void {
  for (const { start, end, room } of lines) {
    if (overflows(start, end, room, mainSizes)) tree.packTo(isReversed(frame) ? 'end' : 'start', start);
  }
}

/** Without free space, automatic margins are 0, and the line is packed as if they were (CSS Flexbox 1, section 8.1). */
function dropAutoMargins(tree: YogaTree, lines: readonly FlexLine[], mainSizes: readonly number[]): void {
  for (const { start, end, room } of lines) {
    if (!overflows(start, end, room, mainSizes)) continue;
    for (let i = start; i < end; i++) tree.dropAutoMargins(i);
  }
}

function overflows(start: number, end: number, room: number, mainSizes: readonly number[]): boolean {
  return mainSizes.slice(start, end).reduce((sum, size) => sum + size, 0) > room + TOLERANCE;
}

/** Whether the lines, at their items' own sizes, overflow the frame's cross axis. */
function linesOverflow(
  frame: FlexFrame,
  room: AvailableSpace,
  items: readonly FlexItem[],
  natural: readonly Fragment[],
  lines: readonly FlexLine[],
): boolean {
  const row = isRow(frame);
  const sizes = items.map(({ node }, i) => {
    const { width = 0, height = 0 } = natural[i]?.size ?? {};
    return marginsAlong(node.placement, !row) + (row ? height : width);
  });
  const gap = row ? frame.layout.rowGap : frame.layout.columnGap;
  const used = lines.reduce((sum, { start, end }) => sum + gap + Math.max(...sizes.slice(start, end)), -gap);
  return used > ((row ? room.height : room.width) ?? Number.POSITIVE_INFINITY) + TOLERANCE;
}

function settleByCss(
  tree: YogaTree,
  items: readonly FlexItem[],
  { start, end, room }: FlexLine,
  sizes: number[],
): void {
  const ofLine = items.slice(start, end);
  const lengths = resolveFlexibleLengths(ofLine, room);
  for (const [i, item] of ofLine.entries()) {
    const size = lengths.get(item) ?? 0;
    sizes[start + i] = size;
    tree.setMain(start + i, size);
  }
}

/** Sets the flex factors of a line's items in yoga. Returns what resolves the line: `nobody` if no item flexes. */
function share(tree: YogaTree, items: readonly FlexItem[], { start, end, room }: FlexLine): 'nobody' | 'yoga' | 'css' {
  let free = room;
  for (let i = start; i < end; i++) free -= items[i]?.base ?? 0;
  if (isNear(free, 0)) return 'nobody';
  // Only one factor is set: yoga gives a lone item that can both grow and shrink no base size of its own.
  const able: number[] = [];
  let factors = 0;
  let largest = 0;
  let weights = 0;
  for (let i = start; i < end; i++) {
    const item = items[i];
    const factor = item && (free > 0 ? item.grow : item.shrink);
    if (!item || !factor || factor < 0) continue;
    able.push(i);
    factors += factor;
    largest = Math.max(largest, factor);
    weights += factor * (item.base - item.rigid);
  }
  if (able.length === 0) return 'nobody';
  if (free > 0) {
    for (const i of able) tree.grow(i);
    return 'yoga';
  }
  // Factors that sum to less than one cover only that fraction, and yoga mishandles items that would shrink to zero.
  if (factors < 1 || -free * largest > weights - TOLERANCE) return 'css';
  for (const i of able) tree.shrink(i);
  return 'yoga';
}

function sizeItem(flow: Flow, row: boolean, item: FlexItem, main: number): Fragment {
  const { node, cross, hugs } = item;
  if (row) return flow.layOut(node, { width: main, height: cross, hugs });
  const width = cross ?? 0;
  const natural = item.hasHeight ? null : flow.layOut(node, { width, height: null, hugs });
  // An item as tall as its content has no free space to distribute, so this layout is final.
  if (natural && isNear(natural.size.height, main)) return natural;
  return flow.layOut(node, { width, height: main, hugs });
}

/** Section 9.4, step 11: lays out an item again at its line's cross size, unless it has that size already. */
function stretchItem(flow: Flow, row: boolean, item: FlexItem, fragment: Fragment, cross: number): Fragment {
  const { width, height } = fragment.size;
  if (isNear(cross, row ? height : width)) return fragment;
  if (row) return flow.layOut(item.node, { width, height: cross, hugs: item.hugs });
  return flow.layOut(item.node, { width: cross, height, hugs: false });
}

/** The corner of an item with `safe` alignment: at the start of its line if it is larger than that. */
function safeOrigin(tree: YogaTree, frame: FlexFrame, { node }: FlexItem, { size }: Fragment, i: number): Point {
  const origin = tree.originOf(i);
  const line = tree.lineAcross(i);
  const { margin } = node.placement;
  const over = (isRow(frame) ? size.height : size.width) + marginsAlong(node.placement, !isRow(frame)) - line.size;
  if (over <= TOLERANCE) return origin;
  if (isRow(frame)) return { ...origin, y: line.start + margin.top };
  return { ...origin, x: line.start + margin.left - (frame.direction === 'rtl' ? over : 0) };
}

/** Section 8.3: shifts baseline-aligned items from their line's start so that their baselines meet. */
function alignBaselines(
  tree: YogaTree,
  items: readonly FlexItem[],
  fragments: readonly Fragment[],
  { start, end }: FlexLine,
  isUpward: boolean,
): void {
  const reach = (i: number) => {
    const item = items[i];
    const fragment = fragments[i];
    if (item?.align !== 'baseline' || !fragment) return null;
    const { top, bottom } = item.node.placement.margin;
    const ascent = baselineOf(fragment);
    return isUpward ? bottom + fragment.size.height - ascent : top + ascent;
  };
  let farthest = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) farthest = Math.max(farthest, reach(i) ?? farthest);
  for (let i = start; i < end; i++) {
    const own = reach(i);
    if (own !== null) tree.shift(i, farthest - own);
  }
}

/** px from the top; the bottom edge of a fragment without a baseline. */
const baselineOf = ({ baseline, size }: Fragment) => baseline ?? size.height;

/**
 * The baseline of a frame: that of the first baseline-aligned item of its topmost line, else of the item at that line's
 * start.
 */
function firstBaseline(
  frame: FlexFrame,
  items: readonly FlexItem[],
  lines: readonly FlexLine[],
  children: readonly PlacedFragment[],
): number | null {
  const line = lines.at(frame.layout.wrap === 'wrap-reverse' ? -1 : 0);
  if (!line) return null;
  const isAligned = ({ align }: FlexItem, i: number) => align === 'baseline' && i >= line.start && i < line.end;
  const aligned = isRow(frame) ? items.findIndex(isAligned) : -1;
  const startmost = isReversed(frame) ? line.end - 1 : line.start;
  const first = children[aligned < 0 ? startmost : aligned];
  return first ? first.y + baselineOf(first.fragment) : null;
}

/** Rounding error allowed when comparing sums, px. */
const TOLERANCE = 0.001;
const isNear = (a: number, b: number) => Math.abs(a - b) < TOLERANCE;
const nearest = (size: number, known: number) => (isNear(size, known) ? known : size);
