// Lays out one flex frame with yoga, as a tree of its lines with its items as empty boxes.
//
// The content of an item is laid out by flow.ts: yoga is given the items' sizes, distributes the free space and places
// the items. Trees live outside the garbage collector's reach and must be released by `free`. Until then a tree can be
// laid out again with other sizes, and only changed ones are passed to yoga.

import Yoga, {
  Align,
  Direction,
  Edge,
  FlexDirection,
  Gutter,
  Justify,
  Overflow,
  type Node as YogaNode,
} from 'yoga-layout';
import type { Point } from '../geometry.ts';
import type { Placement, Sides } from '../resolve/scene.ts';
import { type FlexFrame, isRow } from './axis.ts';
import type { AvailableSpace, FlexItem, FlexLine } from './flex-item.ts';

const config = Yoga.Config.create();
// Whole pixels would move every box away from where CSS puts it.
config.setPointScaleFactor(0);

/** Nodes for reuse: making one costs several times as much as clearing one. */
const spare: YogaNode[] = [];
const MOST_SPARE = 1000;

/** Clears a node without parent or children for reuse. `getChild` and `getParent` no longer return it afterwards. */
function giveBack(node: YogaNode): void {
  node.reset();
  if (spare.length < MOST_SPARE) spare.push(node);
  else Yoga.Node.destroy(node);
}

/** All lengths are px of the frame's content box; results have yoga's single precision. */
export class YogaTree {
  readonly #layout: FlexFrame['layout'];
  readonly #direction: FlexFrame['direction'];
  readonly #row: boolean;
  /** Whether the tree is upside down: a row that wraps in reverse starts at the bottom. */
  readonly #isMirrored: boolean;
  readonly #root: YogaNode;
  readonly #nodes: YogaNode[] = [];
  readonly #kinship: { readonly parent: YogaNode; readonly child: YogaNode }[] = [];
  /** In the order of the items, like the arrays below. */
  readonly #boxes: YogaNode[] = [];
  readonly #lines: YogaNode[] = [];
  readonly #placements: Placement[] = [];
  readonly #aligns: FlexItem['align'][] = [];
  /** The sizes last set in yoga. */
  readonly #mains: number[] = [];
  readonly #crosses: number[] = [];
  #width = Number.NaN;
  #height = Number.NaN;
  /** Items that may grow or shrink. */
  readonly #flexed: number[] = [];
  /** Whether the tree cannot be reused: it has wrapped lines, or more than sizes was set. */
  #isSpent: boolean;
  #items: readonly FlexItem[] = [];

  constructor(frame: FlexFrame, items: readonly FlexItem[], lines: readonly FlexLine[]) {
    this.#layout = frame.layout;
    this.#direction = frame.direction;
    this.#row = isRow(frame);
    this.#isMirrored = this.#row && frame.layout.wrap === 'wrap-reverse';
    this.#isSpent = frame.layout.wrap !== 'nowrap';
    const boxes = lines.map(({ start, end }) => this.#line(items, start, end));
    this.#root = (frame.layout.wrap === 'nowrap' && boxes[0]) || this.#stack(boxes);
  }

  /** How many nodes it has. */
  get size(): number {
    return this.#nodes.length;
  }

  /** Whether the tree suits this frame and these items, whatever their sizes. */
  fits({ layout, direction }: FlexFrame, items: readonly FlexItem[]): boolean {
    if (layout !== this.#layout || direction !== this.#direction) return false;
    if (items.length !== this.#boxes.length || items.length === 0) return false;
    return items.every(
      ({ node, align, stretches }, i) =>
        node.placement === this.#placements[i] && align === this.#aligns[i] && !stretches,
    );
  }

  /** @param main the content box's main size; its cross size comes from `room` or from the items */
  setSizes(room: AvailableSpace, main: number, items: readonly FlexItem[]): void {
    this.#items = items;
    const width = this.#row ? main : room.width;
    if (width !== this.#width) this.#root.setWidth(width);
    this.#width = width;
    const height = this.#row ? room.height : main;
    if (height === null) {
      if (!Number.isNaN(this.#height)) this.#root.setHeightAuto();
      if (room.minHeight > 0) this.#root.setMinHeight(room.minHeight);
      if (room.maxHeight < Number.POSITIVE_INFINITY) this.#root.setMaxHeight(room.maxHeight);
      this.#isSpent ||= room.minHeight > 0 || room.maxHeight < Number.POSITIVE_INFINITY;
    } else if (height !== this.#height) this.#root.setHeight(height);
    this.#height = height ?? Number.NaN;
    for (let i = 0; i < items.length; i++) {
      const base = items[i]?.base ?? 0;
      if (base !== this.#mains[i]) setSize(this.#box(i), this.#row, base);
      this.#mains[i] = base;
    }
  }

  /** Lets an item grow by its share of its line's free space. */
  grow(i: number): void {
    this.#flexed.push(i);
    this.#box(i).setFlexGrow(this.#item(i).grow);
  }

  /** Lets an item shrink. CSS weights by its content box (section 9.7, step 4c), yoga by the whole box. */
  shrink(i: number): void {
    this.#flexed.push(i);
    const { base, rigid, shrink } = this.#item(i);
    if (base > 0) this.#box(i).setFlexShrink((shrink * (base - rigid)) / base);
  }

  /** Sets an item's main size, without growing or shrinking. */
  setMain(i: number, size: number): void {
    const box = this.#box(i);
    box.setFlexGrow(0);
    box.setFlexShrink(0);
    setSize(box, this.#row, size);
    this.#mains[i] = size;
  }

  setCross(i: number, size: number): void {
    if (size !== this.#crosses[i]) setSize(this.#box(i), !this.#row, size);
    this.#crosses[i] = size;
  }

  /** Stretches an item to its line's cross size, within two bounds; `size` is what it contributes to its line. */
  stretch(i: number, size: number, min: number, max: number): void {
    this.#isSpent = true;
    const box = this.#box(i);
    const content = this.#node();
    setSize(content, !this.#row, size);
    this.#insert(content, box, 0);
    // Where the bounds contradict each other the minimum wins in CSS, the maximum in yoga.
    const most = max < Number.POSITIVE_INFINITY ? Math.max(min, max) : undefined;
    if (this.#row) {
      box.setMinHeight(min);
      box.setMaxHeight(most);
    } else {
      box.setMinWidth(min);
      box.setMaxWidth(most);
    }
  }

  /** Shifts an item of a row from its line's start: from the top, or from the bottom with `wrap-reverse`. */
  shift(i: number, distance: number): void {
    this.#isSpent = true;
    this.#box(i).setMargin(Edge.Top, this.#edges(this.#item(i).node.placement.margin).top + distance);
  }

  /** Takes the `auto` of an item's margins along its line away, as where the line has too little space. */
  dropAutoMargins(i: number): void {
    const { autoMargins, margin } = this.#item(i).node.placement;
    if (autoMargins === null) return;
    this.#isSpent = true;
    for (const { side, edge } of SIDES) {
      const isAlong = (side === 'left' || side === 'right') === this.#row;
      if (isAlong && autoMargins[side]) this.#box(i).setMargin(edge, margin[side]);
    }
  }

  /** Packs all items of an item's line at one end of the line. */
  packTo(end: 'start' | 'end', i: number): void {
    this.#isSpent = true;
    this.#lines[i]?.setJustifyContent(JUSTIFY[end]);
  }

  /** Packs the lines of a wrapping frame at one end of its cross axis. */
  packLinesTo(end: 'start' | 'end'): void {
    this.#root.setJustifyContent(JUSTIFY[end]);
  }

  layOut(): void {
    // A column's lines start at the left; right-to-left direction and `wrap-reverse` each swap the side.
    const isTurned = !this.#row && this.#layout.wrap === 'wrap-reverse';
    const fromRight = (this.#direction === 'rtl') !== isTurned;
    this.#root.calculateLayout(undefined, undefined, fromRight ? Direction.RTL : Direction.LTR);
  }

  height(): number {
    return this.#root.getComputedHeight();
  }

  mainOf(i: number): number {
    return this.#row ? this.#box(i).getComputedWidth() : this.#box(i).getComputedHeight();
  }

  crossOf(i: number): number {
    return this.#row ? this.#box(i).getComputedHeight() : this.#box(i).getComputedWidth();
  }

  /** An item's line across it: where it begins at the top or left, and its size. */
  lineAcross(i: number): { readonly start: number; readonly size: number } {
    const line = this.#lines[i];
    if (!line) return { start: 0, size: 0 };
    const size = this.#row ? line.getComputedHeight() : line.getComputedWidth();
    if (line === this.#root) return { start: 0, size };
    const start = this.#row ? line.getComputedTop() : line.getComputedLeft();
    return { start: this.#isMirrored ? this.height() - start - size : start, size };
  }

  /** The top left of an item. */
  originOf(i: number): Point {
    const box = this.#box(i);
    const line = this.#lines[i];
    let x = box.getComputedLeft();
    let y = box.getComputedTop();
    if (line && line !== this.#root) {
      x += line.getComputedLeft();
      y += line.getComputedTop();
    }
    return { x, y: this.#isMirrored ? this.height() - y - box.getComputedHeight() : y };
  }

  /** Prepares the tree for a layout with other sizes. Returns false where it cannot be reused. */
  keepSpare(): boolean {
    for (const i of this.#flexed) {
      this.#box(i).setFlexGrow(0);
      this.#box(i).setFlexShrink(0);
    }
    this.#flexed.length = 0;
    this.#items = [];
    return !this.#isSpent;
  }

  /** Releases the nodes; the tree must not be used afterwards. */
  free(): void {
    for (const { parent, child } of this.#kinship) parent.removeChild(child);
    for (const node of this.#nodes) giveBack(node);
  }

  #line(items: readonly FlexItem[], start: number, end: number): YogaNode {
    const layout = this.#layout;
    const line = this.#node();
    if (layout.direction !== 'column') line.setFlexDirection(DIRECTION[layout.direction]);
    if (layout.justify !== 'start') line.setJustifyContent(JUSTIFY[layout.justify]);
    if (layout.align !== 'stretch') line.setAlignItems(ALIGN[layout.align]);
    const gap = this.#row ? layout.columnGap : layout.rowGap;
    if (gap > 0) line.setGap(Gutter.All, gap);
    for (let i = start; i < end; i++) {
      const item = items[i];
      if (!item) break;
      const box = this.#node();
      if (item.align !== layout.align) box.setAlignSelf(ALIGN[item.align]);
      const margin = this.#edges(item.node.placement.margin);
      for (const { side, edge } of SIDES) if (margin[side] !== 0) box.setMargin(edge, margin[side]);
      const { autoMargins } = item.node.placement;
      if (autoMargins) for (const { side, edge } of SIDES) if (this.#edges(autoMargins)[side]) box.setMarginAuto(edge);
      this.#insert(box, line, i - start);
      this.#boxes.push(box);
      this.#lines.push(line);
      this.#placements.push(item.node.placement);
      this.#aligns.push(item.align);
    }
    return line;
  }

  /**
   * Stacks the lines of a wrapping frame as items of a frame that does not wrap.
   *
   * Yoga's own lines lose their items' margins (its issue 1067), stretch the items of a single line over the whole
   * frame, and stretch items of spaced lines over the spaces between them.
   */
  #stack(lines: readonly YogaNode[]): YogaNode {
    const layout = this.#layout;
    const stack = this.#node();
    // Keeps lines as large as their items; without this they have no size where the frame has no cross space.
    stack.setOverflow(Overflow.Scroll);
    stack.setFlexDirection(this.#row ? FlexDirection.Column : FlexDirection.Row);
    stack.setGap(Gutter.All, this.#row ? layout.rowGap : layout.columnGap);
    if (layout.alignContent !== 'stretch') stack.setJustifyContent(JUSTIFY[layout.alignContent]);
    for (const [i, line] of lines.entries()) {
      if (layout.alignContent === 'stretch') line.setFlexGrow(1);
      this.#insert(line, stack, i);
    }
    return stack;
  }

  #edges<Value>(edges: Sides<Value>): Sides<Value> {
    return this.#isMirrored ? { ...edges, top: edges.bottom, bottom: edges.top } : edges;
  }

  #node(): YogaNode {
    const node = spare.pop() ?? Yoga.Node.createWithConfig(config);
    this.#nodes.push(node);
    return node;
  }

  #insert(child: YogaNode, parent: YogaNode, index: number): void {
    parent.insertChild(child, index);
    this.#kinship.push({ parent, child });
  }

  #item(i: number): FlexItem {
    const item = this.#items[i];
    if (!item) throw new Error('The frame has no such item.');
    return item;
  }

  #box(i: number): YogaNode {
    const box = this.#boxes[i];
    if (!box) throw new Error('The frame has no such item.');
    return box;
  }
}

function setSize(box: YogaNode, horizontal: boolean, size: number): void {
  if (horizontal) box.setWidth(size);
  else box.setHeight(size);
}

const SIDES = [
  { side: 'top', edge: Edge.Top },
  { side: 'right', edge: Edge.Right },
  { side: 'bottom', edge: Edge.Bottom },
  { side: 'left', edge: Edge.Left },
] as const;

const DIRECTION = {
  row: FlexDirection.Row,
  column: FlexDirection.Column,
  'row-reverse': FlexDirection.RowReverse,
  'column-reverse': FlexDirection.ColumnReverse,
} as const;

const JUSTIFY = {
  start: Justify.FlexStart,
  center: Justify.Center,
  end: Justify.FlexEnd,
  'space-between': Justify.SpaceBetween,
  'space-around': Justify.SpaceAround,
  'space-evenly': Justify.SpaceEvenly,
  'safe center': Justify.Center,
  'safe end': Justify.FlexEnd,
} as const;

const ALIGN = {
  start: Align.FlexStart,
  center: Align.Center,
  end: Align.FlexEnd,
  stretch: Align.Stretch,
  // Yoga takes an item's baseline from its children, and these items have none: flex.ts positions them (`shift`).
  baseline: Align.FlexStart,
  'safe center': Align.Center,
  'safe end': Align.FlexEnd,
} as const;
