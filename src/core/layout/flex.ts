// A flex frame at a known width in, where its children lie out: CSS Flexbox 1, section 9, step by step.
//
// The main size of every item is settled first (flexible-lengths.ts), then the cross sizes, then the places. `fill` is
// CSS's `flex: 1 1 0` along the frame and `stretch` across it; what hugs is as large as its content.

import type { Size } from '../geometry.ts';
import type { Dimension, SceneNode } from '../resolve/scene.ts';
import { type Axes, axesOf, contentOrigin, type FlexFrame, limits, rigidSize, type Sides, sides } from './axis.ts';
import { distribute } from './distribute.ts';
import { type FlexibleItem, hypotheticalSize, resolveFlexibleLengths } from './flexible-lengths.ts';
import type { BoxSize, Flow, Fragment, IntrinsicWidths, PlacedFragment } from './fragment.ts';

/** A child before its line is known. */
interface Item extends FlexibleItem {
  readonly node: SceneNode;
  readonly mainMargin: Sides;
  readonly crossMargin: Sides;
  readonly align: FlexFrame['layout']['align'];
  /** The cross size that does not wait for the line; null = that of the content. */
  readonly cross: number | null;
  /** Whether it takes on its line's cross size. */
  readonly stretches: boolean;
  /** Whether its width comes from its content. */
  readonly hugs: boolean;
}

/** A child whose main size is settled. */
interface Sized {
  readonly item: Item;
  readonly main: number;
  /** Laid out before it is stretched. */
  readonly fragment: Fragment;
}

interface Line {
  readonly items: readonly Sized[];
  readonly cross: number;
  /** From the line's top down to the baseline that its items share, and from there to its bottom. */
  readonly ascent: number;
  readonly descent: number;
}

/** The frame's content box, as far as it is known. */
interface Room {
  readonly width: number;
  readonly height: number | null;
  /** Whether the width came from the content. */
  readonly hugs: boolean;
}

/** The intrinsic widths of a flex frame's border box. */
export function flexWidths(flow: Flow, frame: FlexFrame): IntrinsicWidths {
  const { layout } = frame;
  const { row } = axesOf(frame);
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
  const margins = p.margin.left + p.margin.right;
  const asked = (width: number, floor: number) => {
    const own = basis?.kind === 'px' ? Math.max(floor, basis.value) : p.width.kind === 'px' ? p.width.value : width;
    return margins + Math.max(min ?? 0, Math.min(Math.max(own, rigidSize(node, true)), max));
  };
  const floor = min === null && flow.keepsWhole(node) ? content.min : 0;
  return { min: asked(content.min, floor), max: asked(content.max, floor) };
}

/** Lays out a flex frame; a height that is not given keeps the frame's minimum and maximum. */
export function layOutFlex(flow: Flow, frame: FlexFrame, box: BoxSize): Fragment {
  const { layout } = frame;
  const axes = axesOf(frame);
  const { row } = axes;
  const rigid = { width: rigidSize(frame, true), height: rigidSize(frame, false) };
  const own = limits(frame.placement, false);
  const within = (height: number) =>
    Math.max(0, Math.max(own.min ?? 0, Math.min(height + rigid.height, own.max)) - rigid.height);
  const room: Room = {
    width: Math.max(0, box.width - rigid.width),
    height: box.height === null ? null : Math.max(0, box.height - rigid.height),
    hugs: box.hugs,
  };
  const [mainGap, crossGap] = row ? [layout.columnGap, layout.rowGap] : [layout.rowGap, layout.columnGap];

  const items = flow.items(frame).map((node) => toItem(flow, frame, axes, room, node));
  const knownMain = row ? room.width : room.height;
  const groups =
    layout.wrap === 'nowrap' ? [items] : breakLines(items, knownMain ?? within(Number.POSITIVE_INFINITY), mainGap);
  const main = knownMain ?? within(Math.max(0, ...groups.map((group) => extent(group, mainGap))));

  const knownCross = row ? room.height : room.width;
  const sized = groups.map((group) => sizeLine(flow, axes, group, main, mainGap));
  const lines = crossSizes(
    axes,
    sized,
    layout.wrap === 'nowrap' ? knownCross : null,
    layout.wrap === 'nowrap' && row ? within : null,
  );
  const content = lines.reduce((sum, line) => sum + line.cross, crossGap * Math.max(0, lines.length - 1));
  const cross = knownCross ?? within(content);

  const free = cross - content;
  const stretch = layout.alignContent === 'stretch' && layout.wrap !== 'nowrap' ? Math.max(0, free) / lines.length : 0;
  const packing = layout.wrap === 'nowrap' ? 'start' : layout.alignContent;
  const { before, between } = distribute(packing, free, lines.length);
  const origin = contentOrigin(frame);
  const children: PlacedFragment[] = [];
  let baseline: number | null = null;
  let pen = before;
  for (const line of lines) {
    const stretched = { ...line, cross: line.cross + stretch };
    const start = axes.crossReversed ? cross - pen - stretched.cross : pen;
    const placed = placeLine(flow, axes, stretched, main, mainGap, layout.justify).map((child) => ({
      ...child,
      x: origin.x + child.x + (row ? 0 : start),
      y: origin.y + child.y + (row ? start : 0),
    }));
    if (baseline === null) baseline = firstBaseline(axes, line, placed);
    children.push(...placed);
    pen += stretched.cross + crossGap + between;
  }
  const height = box.height ?? (row ? cross : main) + rigid.height;
  return { size: { width: box.width, height }, baseline, children };
}

function toItem(flow: Flow, frame: FlexFrame, axes: Axes, room: Room, node: SceneNode): Item {
  const p = node.placement;
  const { row } = axes;
  const width = sizing(node, p.width, true);
  const height = sizing(node, p.height, room.height !== null);
  const [mainSize, crossSize] = row ? [width, height] : [height, width];
  const align = alignmentOf(flow, frame, node, mainSize, crossSize);
  const isAuto = crossSize.kind === 'fill' || crossSize.kind === 'hug';
  const stretches = align === 'stretch' && isAuto;
  const mainMargin = sides(p.margin, row, axes.mainReversed);
  const crossMargin = sides(p.margin, !row, axes.crossReversed);
  const crossLimits = limits(p, !row);
  const withinCross = (size: number) =>
    Math.max(crossLimits.min ?? 0, Math.min(Math.max(size, rigidSize(node, !row)), crossLimits.max));

  // One line is as wide as its frame, so what stretches across it is known at once.
  const roomAcross = row ? room.height : room.width;
  const across = roomAcross === null ? null : roomAcross - crossMargin.start - crossMargin.end;
  const isStretchedAtOnce = stretches && frame.layout.wrap === 'nowrap' && across !== null;
  const givenCross = lengthOf(crossSize, roomAcross) ?? (isStretchedAtOnce ? Math.max(0, across) : null);
  const hugs = row
    ? !isGiven(width) && (room.hugs || width.kind !== 'fill')
    : !isGiven(width) && (room.hugs || !isStretchedAtOnce);

  let cross = givenCross === null ? null : withinCross(givenCross);
  if (!row && cross === null) {
    const knownHeight = lengthOf(mainSize, room.height);
    const { min, max } = flow.contentWidths(node, knownHeight);
    cross = withinCross(Math.min(max, Math.max(min, across ?? max)));
  }

  const contentMain = () =>
    row ? flow.contentWidths(node, cross) : heightOf(flow.layOut(node, { width: cross ?? 0, height: null, hugs }));
  const given = lengthOf(mainSize, row ? room.width : room.height);
  const rigid = rigidSize(node, row);
  const own = limits(p, row);
  const automatic = () => Math.min(contentMain().min, given ?? Number.POSITIVE_INFINITY, own.max);
  const min = Math.max(rigid, own.min ?? (flow.keepsWhole(node) ? automatic() : 0));

  const basis = p.flexBasis === null || p.flexBasis.kind === 'hug' ? mainSize : p.flexBasis;
  const fills = basis.kind === 'fill';
  // Equal shares need an empty start, but where the frame hugs there is nothing to share yet.
  const isShared = fills && (row ? !room.hugs : room.height !== null);
  const base = isShared ? 0 : (lengthOf(basis, row ? room.width : room.height) ?? given ?? contentMain().max);
  return {
    node,
    base: Math.max(base, rigid),
    rigid,
    min,
    max: own.max,
    grow: fills ? p.flexGrow || 1 : p.flexGrow,
    shrink: fills ? Math.max(1, p.flexShrink) : p.flexShrink,
    mainMargin,
    crossMargin,
    align,
    cross,
    stretches,
    hugs,
  };
}

const heightOf = ({ size }: Fragment): IntrinsicWidths => ({ min: size.height, max: size.height });

/** How a child is aligned across its line, after what `hug` and `fill` mean there. */
function alignmentOf(
  flow: Flow,
  { layout }: FlexFrame,
  node: SceneNode,
  main: Dimension,
  cross: Dimension,
): Item['align'] {
  const { alignSelf, aspectRatio } = node.placement;
  if (cross.kind === 'fill') return 'stretch';
  if (alignSelf !== 'auto') return alignSelf;
  if (layout.align !== 'stretch' || cross.kind !== 'hug') return layout.align;
  // A picture that hugs keeps its own size; CSS would stretch it, which nobody asks of a logo.
  const isPicture = (node.type === 'image' || node.type === 'code') && flow.keepsRatio(node);
  const ratioDecides = aspectRatio !== null && main.kind !== 'hug';
  return isPicture || ratioDecides ? 'start' : 'stretch';
}

function breakLines(items: readonly Item[], room: number, gap: number): readonly (readonly Item[])[] {
  const lines: Item[][] = [];
  let used = 0;
  for (const item of items) {
    const size = outerSize(item);
    const line = lines.at(-1);
    if (line && used + gap + size <= room + TOLERANCE) {
      line.push(item);
      used += gap + size;
    } else {
      lines.push([item]);
      used = size;
    }
  }
  return lines;
}

const outerSize = (item: Item) => hypotheticalSize(item) + item.mainMargin.start + item.mainMargin.end;

function extent(items: readonly Item[], gap: number): number {
  return items.reduce((sum, item) => sum + outerSize(item), gap * Math.max(0, items.length - 1));
}

/** Section 9.7, and each item laid out at the size that it has from it. */
function sizeLine(flow: Flow, { row }: Axes, items: readonly Item[], main: number, gap: number): readonly Sized[] {
  const margins = items.reduce((sum, { mainMargin }) => sum + mainMargin.start + mainMargin.end, 0);
  const sizes = resolveFlexibleLengths(items, main - margins - gap * Math.max(0, items.length - 1));
  return items.map((item, i) => {
    const size = Math.max(0, sizes[i] ?? 0);
    const { node, cross, hugs } = item;
    if (row) return { item, main: size, fragment: flow.layOut(node, { width: size, height: cross, hugs }) };
    const natural = flow.layOut(node, { width: cross ?? 0, height: null, hugs });
    return { item, main: size, fragment: atHeight(flow, item, natural, size) };
  });
}

/** The fragment itself where it has that height already: what hugs shares out nothing. */
function atHeight(flow: Flow, { node, hugs }: Item, natural: Fragment, height: number): Fragment {
  const { width } = natural.size;
  const isGivenHeight = node.placement.height.kind === 'px' || node.placement.height.kind === 'percent';
  if (!isGivenHeight && Math.abs(natural.size.height - height) < TOLERANCE) return natural;
  return flow.layOut(node, { width, height, hugs });
}

/**
 * @param known the cross size of the only line, where the frame says it
 * @param within keeps the only line between the frame's minimum and maximum; null where there are several
 */
function crossSizes(
  axes: Axes,
  lines: readonly (readonly Sized[])[],
  known: number | null,
  within: ((size: number) => number) | null,
): readonly Line[] {
  return lines.map((items) => {
    let largest = 0;
    let ascent = 0;
    let descent = 0;
    for (const { item, fragment } of items) {
      const margins = item.crossMargin.start + item.crossMargin.end;
      if (axes.row && item.align === 'baseline') {
        const { above, below } = aroundBaseline(item, fragment);
        ascent = Math.max(ascent, above);
        descent = Math.max(descent, below);
      } else largest = Math.max(largest, acrossOf(axes, fragment.size) + margins);
    }
    const content = Math.max(largest, ascent + descent);
    return { items, cross: known ?? (within ? within(content) : content), ascent, descent };
  });
}

const acrossOf = ({ row }: Axes, size: Size) => (row ? size.height : size.width);

/** How far a margin box reaches above and below its baseline: its bottom edge where it has none. */
function aroundBaseline(
  { node }: Item,
  { size, baseline }: Fragment,
): { readonly above: number; readonly below: number } {
  const { top, bottom } = node.placement.margin;
  const ascent = baseline ?? size.height;
  return { above: top + ascent, below: size.height - ascent + bottom };
}

/** The items of a line, from the corner where the content box and the line start at the top left. */
function placeLine(
  flow: Flow,
  axes: Axes,
  line: Line,
  main: number,
  gap: number,
  justify: FlexFrame['layout']['justify'],
): readonly PlacedFragment[] {
  const { row } = axes;
  const used = line.items.reduce(
    (sum, { item, main }) => sum + main + item.mainMargin.start + item.mainMargin.end,
    gap * Math.max(0, line.items.length - 1),
  );
  const { before, between } = distribute(justify, main - used, line.items.length);
  let pen = before;
  return line.items.map((sized) => {
    const { item, main: size } = sized;
    const fragment = stretched(flow, axes, sized, line.cross);
    const start = pen + item.mainMargin.start;
    pen = start + size + item.mainMargin.end + gap + between;
    const along = axes.mainReversed ? main - start - size : start;
    const across = placeAcross(axes, item, fragment, line);
    return { node: item.node, fragment, x: row ? along : across, y: row ? across : along };
  });
}

function stretched(flow: Flow, { row }: Axes, { item, main, fragment }: Sized, lineCross: number): Fragment {
  if (!item.stretches) return fragment;
  const { min, max } = limits(item.node.placement, !row);
  const room = lineCross - item.crossMargin.start - item.crossMargin.end;
  const size = Math.max(min ?? 0, rigidSize(item.node, !row), Math.min(room, max));
  if (row) return atHeight(flow, item, fragment, size);
  if (Math.abs(size - fragment.size.width) < TOLERANCE) return fragment;
  return flow.layOut(item.node, { width: size, height: main, hugs: false });
}

/** An item's left or top edge in its line. */
function placeAcross(axes: Axes, item: Item, fragment: Fragment, line: Line): number {
  const size = acrossOf(axes, fragment.size);
  const { start, end } = item.crossMargin;
  if (axes.row && item.align === 'baseline') {
    const shared = axes.crossReversed ? line.cross - line.descent : line.ascent;
    return shared - aroundBaseline(item, fragment).above + item.node.placement.margin.top;
  }
  const free = line.cross - size - start - end;
  const share = item.align === 'center' ? 0.5 : item.align === 'end' ? 1 : 0;
  const offset = start + free * share;
  return axes.crossReversed ? line.cross - offset - size : offset;
}

/** The baseline that a frame offers to its own row: that of its first line's aligned items, or of its first item. */
function firstBaseline({ row }: Axes, { items }: Line, placed: readonly PlacedFragment[]): number | null {
  const aligned = row ? items.findIndex(({ item }) => item.align === 'baseline') : 0;
  const first = placed[Math.max(0, aligned)];
  return first ? first.y + (first.fragment.baseline ?? first.fragment.size.height) : null;
}

const isGiven = (size: Dimension) => size.kind === 'px' || size.kind === 'percent';

/** What a size means here: a frame without layout has nothing to hug, and a percentage needs something to be of. */
function sizing(node: SceneNode, size: Dimension, definite: boolean): Dimension {
  if (size.kind === 'hug' && node.type === 'frame' && node.layout === null) return { kind: 'fill' };
  if (size.kind === 'percent' && !definite) return { kind: 'hug' };
  return size;
}

/** px, or null where neither a length nor a percentage of something known is given. */
function lengthOf(size: Dimension, whole: number | null): number | null {
  if (size.kind === 'px') return size.value;
  return size.kind === 'percent' && whole !== null ? (size.value / 100) * whole : null;
}

/** Sums of floats may miss each other by less than any pixel shows. */
const TOLERANCE = 0.001;
