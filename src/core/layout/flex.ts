// A flex frame at a known width in, where its children lie out: CSS Flexbox 1, section 9, with yoga doing the flexing.
//
// Yoga is shown this frame alone (yoga-tree.ts): first along it, where there is room to share, which says how wide each
// child is and so how tall; then both ways. What it has not of CSS is settled around it: sizes by content
// (flex-item.ts), where lines break, minimum and maximum (flexible-lengths.ts), and baselines.

import { contentOrigin, type FlexFrame, isRow, limits, rigidSize } from './axis.ts';
import { type FlexItem, type FlexLine, flexItem, type Room } from './flex-item.ts';
import { bounded, resolveFlexibleLengths } from './flexible-lengths.ts';
import type { BoxSize, Flow, Fragment, PlacedFragment } from './fragment.ts';
import { YogaTree } from './yoga-tree.ts';

/** An item whose main size is settled, laid out before it is stretched. */
interface Sized {
  readonly item: FlexItem;
  readonly fragment: Fragment;
}

/** Lays out a flex frame; a height that is not given keeps the frame's minimum and maximum. */
export function layOutFlex(flow: Flow, frame: FlexFrame, box: BoxSize): Fragment {
  const row = isRow(frame);
  const room = roomIn(frame, box);
  const items = flow.items(frame).map((node) => flexItem(flow, frame, room, node));
  const { main, lines } = breakLines(frame, room, items);
  const tree = new YogaTree(frame, room, main, lines);
  try {
    const mainSizes = settleMainSizes(tree, lines);
    const sized = lines.map((line) => line.items.map((item) => sizeItem(flow, row, item, mainSizes.get(item) ?? 0)));
    for (const { item, fragment } of sized.flat()) {
      const cross = row ? fragment.size.height : fragment.size.width;
      const { min, max } = limits(item.node.placement, !row);
      if (item.stretches) tree.stretch(item, cross, Math.max(min ?? 0, rigidSize(item.node, !row)), max);
      else tree.setCross(item, cross);
    }
    if (row) for (const line of sized) alignBaselines(tree, line, frame.layout.wrap === 'wrap-reverse');
    tree.layOut();

    const origin = contentOrigin(frame);
    const children = sized.flat().map((each): PlacedFragment => {
      const { x, y } = tree.originOf(each.item);
      const fragment = each.item.stretches ? stretchItem(flow, row, each, tree.crossOf(each.item)) : each.fragment;
      return { node: each.item.node, x: origin.x + x, y: origin.y + y, fragment };
    });
    const height = box.height ?? tree.height() + rigidSize(frame, false);
    return { size: { width: box.width, height }, baseline: firstBaseline(row, lines[0], children), children };
  } finally {
    tree.free();
  }
}

function roomIn(frame: FlexFrame, box: BoxSize): Room {
  const rigid = { width: rigidSize(frame, true), height: rigidSize(frame, false) };
  const { min, max } = limits(frame.placement, false);
  const minHeight = Math.max(0, (min ?? 0) - rigid.height);
  return {
    width: Math.max(0, box.width - rigid.width),
    height: box.height === null ? null : Math.max(0, box.height - rigid.height),
    minHeight,
    maxHeight: Math.max(minHeight, max - rigid.height),
    hugs: box.hugs,
  };
}

/** Section 9.3. In doubles: in yoga's floats, what hugs three thirds may find them too long by a millionth. */
function breakLines(
  frame: FlexFrame,
  room: Room,
  items: readonly FlexItem[],
): { readonly main: number; readonly lines: readonly FlexLine[] } {
  const { layout } = frame;
  const row = isRow(frame);
  const gap = row ? layout.columnGap : layout.rowGap;
  const known = row ? room.width : room.height;
  const longest = layout.wrap === 'nowrap' ? Number.POSITIVE_INFINITY : (known ?? room.maxHeight);

  const lines: { items: FlexItem[]; length: number; taken: number }[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    const size = item.hypothetical + item.margins;
    if (line && line.length + gap + size <= longest + TOLERANCE) {
      line.items.push(item);
      line.length += gap + size;
      line.taken += gap + item.margins;
    } else lines.push({ items: [item], length: size, taken: item.margins });
  }
  const content = Math.max(0, ...lines.map(({ length }) => length));
  const main = known ?? Math.max(room.minHeight, Math.min(content, room.maxHeight));
  return { main, lines: lines.map(({ items, taken }) => ({ items, room: main - taken })) };
}

/**
 * Section 9.7. Yoga shares what a line has left or lacks, and is told of no minimum or maximum: it would start from
 * sizes that they have bounded already (its issue 1770) and look only once for those that they hold back (2006). Where
 * they hold back nobody, what it shares out is CSS's answer; where they do, the line is settled without it.
 */
function settleMainSizes(tree: YogaTree, lines: readonly FlexLine[]): ReadonlyMap<FlexItem, number> {
  const sharing = lines.map((line) => share(tree, line));
  if (sharing.includes('yoga')) tree.layOut();
  const sizes = lines.flatMap((line, l) => {
    const trials = line.items.map((item) => {
      const trial = sharing[l] === 'yoga' ? nearest(tree.mainOf(item), item.base) : item.base;
      return { item, trial, size: bounded(item, trial) };
    });
    const isHeldBack = trials.some(({ trial, size }) => !isNear(trial, size));
    if (sharing[l] !== 'css' && !isHeldBack) return trials.map(({ item, size }) => [item, size] as const);
    const lengths = [...resolveFlexibleLengths(line.items, line.room)];
    for (const [item, size] of lengths) tree.setMain(item, size);
    return lengths;
  });
  return new Map(sizes);
}

/** Has the items of a line grow or shrink to fill it, and says who can tell by how much. */
function share(tree: YogaTree, { items, room }: FlexLine): 'nobody' | 'yoga' | 'css' {
  const free = items.reduce((left, { base }) => left - base, room);
  // Yoga is told of one factor alone: it takes a lone item that could do both for one without a size of its own.
  const able = items.filter(({ grow, shrink }) => (free > 0 ? grow : shrink) > 0);
  if (isNear(free, 0) || able.length === 0) return 'nobody';
  if (free > 0) {
    for (const item of able) tree.grow(item);
    return 'yoga';
  }
  const factors = able.map(({ shrink }) => shrink);
  const weights = able.reduce((sum, { base, rigid, shrink }) => sum + shrink * (base - rigid), 0);
  // Factors under one in all make up for that part only, and yoga stumbles over what would shrink to nothing.
  const isPart = factors.reduce((sum, factor) => sum + factor, 0) < 1;
  if (isPart || -free * Math.max(...factors) > weights - TOLERANCE) return 'css';
  for (const item of able) tree.shrink(item);
  return 'yoga';
}

function sizeItem(flow: Flow, row: boolean, item: FlexItem, main: number): Sized {
  const { node, cross, hugs } = item;
  if (row) return { item, fragment: flow.layOut(node, { width: main, height: cross, hugs }) };
  const width = cross ?? 0;
  const natural = item.hasHeight ? null : flow.layOut(node, { width, height: null, hugs });
  // What hugs shares out nothing.
  if (natural && isNear(natural.size.height, main)) return { item, fragment: natural };
  return { item, fragment: flow.layOut(node, { width, height: main, hugs }) };
}

/** Section 9.4, 11: an item again, as large across as its line; as it is where it is that already. */
function stretchItem(flow: Flow, row: boolean, { item, fragment }: Sized, cross: number): Fragment {
  const { width, height } = fragment.size;
  if (isNear(cross, row ? height : width)) return fragment;
  if (row) return flow.layOut(item.node, { width, height: cross, hugs: item.hugs });
  return flow.layOut(item.node, { width: cross, height, hugs: false });
}

/** Section 8.3: baseline-aligned items are held as far from their line's start as brings the baselines together. */
function alignBaselines(tree: YogaTree, line: readonly Sized[], isReversed: boolean): void {
  const aligned = line.filter(({ item }) => item.align === 'baseline');
  const reach = ({ item, fragment }: Sized) => {
    const { top, bottom } = item.node.placement.margin;
    const ascent = baselineOf(fragment);
    return isReversed ? bottom + fragment.size.height - ascent : top + ascent;
  };
  const farthest = Math.max(...aligned.map(reach));
  for (const sized of aligned) tree.shift(sized.item, farthest - reach(sized));
}

/** From the top; what has no baseline stands on its bottom edge. */
const baselineOf = ({ baseline, size }: Fragment) => baseline ?? size.height;

/** The baseline that a frame offers to its own row: that of its first line's aligned items, or of its first item. */
function firstBaseline(row: boolean, line: FlexLine | undefined, children: readonly PlacedFragment[]): number | null {
  const aligned = row && line ? line.items.findIndex(({ align }) => align === 'baseline') : 0;
  const first = children[Math.max(0, aligned)];
  return first ? first.y + baselineOf(first.fragment) : null;
}

/** Sums of floats may miss each other by less than any pixel shows. */
const TOLERANCE = 0.001;
const isNear = (a: number, b: number) => Math.abs(a - b) < TOLERANCE;
const nearest = (size: number, known: number) => (isNear(size, known) ? known : size);
