// One flex frame as a tree that yoga lays out: its lines, and in each its items as empty boxes. The door to yoga.
//
// What is in an item is laid out by flow.ts: yoga is told how large an item is, shares out what room there is, and says
// where it goes. The tree lives outside the garbage collector's reach; whoever makes one frees it.

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
import type { Edges, Point } from '../geometry.ts';
import { type FlexFrame, isRow } from './axis.ts';
import type { FlexItem, FlexLine, Room } from './flex-item.ts';

const config = Yoga.Config.create();
// Whole pixels would move every box away from where CSS puts it.
config.setPointScaleFactor(0);

/** Nodes that no tree has: to make one costs several times what clearing one does. */
const spare: YogaNode[] = [];
const MOST_SPARE = 1000;

/** Clears a node without parent or children. Yoga then no longer knows it by `getChild` and `getParent`. */
function giveBack(node: YogaNode): void {
  node.reset();
  if (spare.length < MOST_SPARE) spare.push(node);
  else Yoga.Node.destroy(node);
}

/** All in px of the frame's content box; what is read has yoga's single precision. */
export class YogaTree {
  readonly #frame: FlexFrame;
  readonly #row: boolean;
  /** Whether the tree is upside down: a row that wraps in reverse starts at the bottom. */
  readonly #isMirrored: boolean;
  readonly #root: YogaNode;
  readonly #nodes: YogaNode[] = [];
  readonly #kinship: (readonly [parent: YogaNode, child: YogaNode])[] = [];
  readonly #items = new Map<FlexItem, { readonly box: YogaNode; readonly line: YogaNode }>();

  /** @param main the content box's size along the frame; across it, it is the room's or that of the items */
  constructor(frame: FlexFrame, room: Room, main: number, lines: readonly FlexLine[]) {
    this.#frame = frame;
    this.#row = isRow(frame);
    this.#isMirrored = this.#row && frame.layout.wrap === 'wrap-reverse';

    const boxes = lines.map(({ items }) => this.#line(items));
    this.#root = (frame.layout.wrap === 'nowrap' && boxes[0]) || this.#stack(boxes);
    this.#root.setWidth(this.#row ? main : room.width);
    const height = this.#row ? room.height : main;
    if (height !== null) this.#root.setHeight(height);
    else {
      if (room.minHeight > 0) this.#root.setMinHeight(room.minHeight);
      if (room.maxHeight < Number.POSITIVE_INFINITY) this.#root.setMaxHeight(room.maxHeight);
    }
  }

  /** Lets an item have its share of what its line has left. */
  grow(item: FlexItem): void {
    this.#box(item).setFlexGrow(item.grow);
  }

  /** Lets an item give its share of what its line lacks: by its content box (CSS 9.7, 4c), yoga goes by the whole. */
  shrink(item: FlexItem): void {
    if (item.base > 0) this.#box(item).setFlexShrink((item.shrink * (item.base - item.rigid)) / item.base);
  }

  /** Gives an item a main size, whatever its line has left or lacks. */
  setMain(item: FlexItem, size: number): void {
    const box = this.#box(item);
    box.setFlexGrow(0);
    box.setFlexShrink(0);
    setSize(box, this.#row, size);
  }

  /** Gives an item its cross size. */
  setCross(item: FlexItem, size: number): void {
    setSize(this.#box(item), !this.#row, size);
  }

  /** Gives an item its line's cross size, between two bounds; `size` is what it asks of its line. */
  stretch(item: FlexItem, size: number, min: number, max: number): void {
    const box = this.#box(item);
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

  /** Holds an item of a row away from where its line starts: from its top, or its bottom where it wraps in reverse. */
  shift(item: FlexItem, distance: number): void {
    this.#box(item).setMargin(Edge.Top, this.#edges(item.node.placement.margin).top + distance);
  }

  layOut(): void {
    const { direction, layout } = this.#frame;
    // A column's lines start at the left or, the other way to write or to wrap, at the right.
    const isTurned = !this.#row && layout.wrap === 'wrap-reverse';
    const fromRight = (direction === 'rtl') !== isTurned;
    this.#root.calculateLayout(undefined, undefined, fromRight ? Direction.RTL : Direction.LTR);
  }

  height(): number {
    return this.#root.getComputedHeight();
  }

  mainOf(item: FlexItem): number {
    return this.#row ? this.#box(item).getComputedWidth() : this.#box(item).getComputedHeight();
  }

  crossOf(item: FlexItem): number {
    return this.#row ? this.#box(item).getComputedHeight() : this.#box(item).getComputedWidth();
  }

  /** The top left of an item. */
  originOf(item: FlexItem): Point {
    const { box, line } = this.#placeOf(item);
    let x = box.getComputedLeft();
    let y = box.getComputedTop();
    if (line !== this.#root) {
      x += line.getComputedLeft();
      y += line.getComputedTop();
    }
    return { x, y: this.#isMirrored ? this.height() - y - box.getComputedHeight() : y };
  }

  /** Gives its nodes back; the tree is of no more use. */
  free(): void {
    for (const [parent, child] of this.#kinship) parent.removeChild(child);
    for (const node of this.#nodes) giveBack(node);
  }

  #line(items: readonly FlexItem[]): YogaNode {
    const { layout } = this.#frame;
    const line = this.#node();
    if (layout.direction !== 'column') line.setFlexDirection(DIRECTION[layout.direction]);
    if (layout.justify !== 'start') line.setJustifyContent(JUSTIFY[layout.justify]);
    if (layout.align !== 'stretch') line.setAlignItems(ALIGN[layout.align]);
    const gap = this.#row ? layout.columnGap : layout.rowGap;
    if (gap > 0) line.setGap(Gutter.All, gap);
    for (const [i, item] of items.entries()) {
      const box = this.#node();
      if (item.align !== layout.align) box.setAlignSelf(ALIGN[item.align]);
      const margin = this.#edges(item.node.placement.margin);
      for (const [side, edge] of SIDES) if (margin[side] !== 0) box.setMargin(edge, margin[side]);
      setSize(box, this.#row, item.base);
      this.#insert(box, line, i);
      this.#items.set(item, { box, line });
    }
    return line;
  }

  /**
   * The lines of a frame that wraps, as items of a frame that does not.
   *
   * Yoga's own lines lose their items' margins (its issue 1067), stretch the items of a lone line over the whole frame,
   * and those between spaced lines over the spaces.
   */
  #stack(lines: readonly YogaNode[]): YogaNode {
    const { layout } = this.#frame;
    const stack = this.#node();
    // Lines are as large as their items: without this, none where the frame has no room across.
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

  #edges(edges: Edges): Edges {
    return this.#isMirrored ? { ...edges, top: edges.bottom, bottom: edges.top } : edges;
  }

  #node(): YogaNode {
    const node = spare.pop() ?? Yoga.Node.createWithConfig(config);
    this.#nodes.push(node);
    return node;
  }

  #insert(child: YogaNode, parent: YogaNode, index: number): void {
    parent.insertChild(child, index);
    this.#kinship.push([parent, child]);
  }

  #placeOf(item: FlexItem) {
    const place = this.#items.get(item);
    if (!place) throw new Error('The item is of another frame.');
    return place;
  }

  #box(item: FlexItem): YogaNode {
    return this.#placeOf(item).box;
  }
}

function setSize(box: YogaNode, horizontal: boolean, size: number): void {
  if (horizontal) box.setWidth(size);
  else box.setHeight(size);
}

const SIDES = [
  ['top', Edge.Top],
  ['right', Edge.Right],
  ['bottom', Edge.Bottom],
  ['left', Edge.Left],
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
} as const;

const ALIGN = {
  start: Align.FlexStart,
  center: Align.Center,
  end: Align.FlexEnd,
  stretch: Align.Stretch,
  // Yoga asks an item's children for its baseline, and these have none: flex.ts holds them in place (`shift`).
  baseline: Align.FlexStart,
} as const;
