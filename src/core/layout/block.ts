// Lays out a block at a known width: CSS 2, 9.4.1 (blocks below each other), 8.3.1 (margins that collapse), 9.5 (floats)
// and 10.3.3 (widths).
//
// Which margins meet depends on the boxes alone and not on their places, so the place of each block is known before it is
// laid out, and what it holds can stand beside the floats that are there.

import type { Point } from '../geometry.ts';
import type { FrameNode, SceneNode, TextNode } from '../resolve/scene.ts';
import {
  type BlockFrame,
  contentOrigin,
  hasAutoMargin,
  isBlock,
  isColumns,
  marginsAlong,
  percentOf,
  rigidSize,
  shiftOf,
} from './axis.ts';
import { clampHeight, clampWidth } from './content-size.ts';
import {
  type Block,
  type BoxSize,
  type FloatRoom,
  type Flow,
  type Fragment,
  fitContent,
  type IntrinsicWidths,
  leastWidth,
  type MetMargins,
  outerWidths,
  type PlacedFragment,
} from './fragment.ts';

/** Margins that meet: the largest, and the most negative one, px. */
class Margins implements MetMargins {
  most = 0;
  least = 0;

  add(margin: number): void {
    this.most = Math.max(this.most, margin);
    this.least = Math.min(this.least, margin);
  }

  get sum(): number {
    return this.most + this.least;
  }
}

/** Floats of a formatting context, px from its content's corner. */
class Floats {
  readonly #placed: { readonly side: 'left' | 'right'; left: number; right: number; top: number; bottom: number }[] =
    [];
  /** A float is never above an earlier one. */
  #last = 0;

  get isEmpty(): boolean {
    return this.#placed.length === 0;
  }

  get bottom(): number {
    return this.#placed.reduce((most, { bottom }) => Math.max(most, bottom), Number.NEGATIVE_INFINITY);
  }

  below(clear: 'left' | 'right' | 'both'): number {
    return this.#placed.reduce(
      (most, { side, bottom }) => (clear === 'both' || clear === side ? Math.max(most, bottom) : most),
      Number.NEGATIVE_INFINITY,
    );
  }

  /** Between the floats of a strip, within `left` to `right`. */
  room(top: number, height: number, left: number, right: number) {
    let [from, to] = [left, right];
    let below: number | null = null;
    for (const each of this.#placed) {
      if (each.bottom <= top || each.top >= top + Math.max(height, 0.001) || each.bottom <= each.top) continue;
      if (each.side === 'left') from = Math.max(from, each.right);
      else to = Math.min(to, each.left);
      if (each.right > left && each.left < right) below = below === null ? each.bottom : Math.min(below, each.bottom);
    }
    return { left: from, right: to, below };
  }

  /** Places a margin box at `top` or below. @returns its corner */
  add(
    side: 'left' | 'right',
    size: { width: number; height: number },
    top: number,
    left: number,
    right: number,
  ): Point {
    let y = Math.max(top, this.#last);
    for (;;) {
      const room = this.room(y, size.height, left, right);
      if (room.below === null || room.right - room.left >= size.width - 0.01) {
        const x = side === 'left' ? room.left : room.right - size.width;
        this.#placed.push({ side, left: x, right: x + size.width, top: y, bottom: y + size.height });
        this.#last = y;
        return { x, y };
      }
      y = room.below;
    }
  }
}

/** Where a block is in its formatting context. */
interface Surroundings {
  readonly floats: Floats;
  /** Its border box's corner there, px. */
  readonly at: Point;
}

/** Lays out a block; a height that is not given keeps its minimum and maximum. */
export function layOutBlock(flow: Flow, frame: BlockFrame, box: BoxSize, around: Surroundings | null = null): Fragment {
  return new BlockFormatting(flow, frame, box, frame.layout.isRoot ? null : around).fragment();
}

class BlockFormatting {
  readonly #flow: Flow;
  readonly #frame: BlockFrame;
  readonly #box: BoxSize;
  readonly #floats: Floats;
  /** Of the content, in the border box. */
  readonly #origin: Point;
  /** Of the content, in the formatting context. */
  readonly #at: Point;
  readonly #room: Block & { readonly width: number };
  readonly #children: PlacedFragment[] = [];
  /** The bottom of what is placed, px in the content. */
  #y = 0;
  /** The margins below it. */
  #pending = new Margins();
  /** Whether the margins at the top are those of the block itself, and already above it. */
  #isOpen: boolean;

  constructor(flow: Flow, frame: BlockFrame, box: BoxSize, around: Surroundings | null) {
    this.#flow = flow;
    this.#frame = frame;
    this.#box = box;
    this.#floats = around?.floats ?? new Floats();
    this.#origin = contentOrigin(frame);
    const corner = around?.at ?? { x: 0, y: 0 };
    this.#at = { x: corner.x + this.#origin.x, y: corner.y + this.#origin.y };
    this.#room = {
      width: Math.max(0, box.width - rigidSize(frame, true)),
      height: box.height === null ? null : Math.max(0, box.height - rigidSize(frame, false)),
    };
    this.#isOpen = isOpenAbove(frame);
  }

  fragment(): Fragment {
    const frame = this.#frame;
    const items = new Set(this.#flow.items(frame));
    const statics = new Map<SceneNode, number>();
    for (const node of frame.children) {
      if (items.has(node)) this.#add(node);
      else if (node.placement.absolute)
        statics.set(node, this.#origin.y + this.#y + (this.#isOpen ? 0 : this.#pending.sum));
    }
    const rigid = rigidSize(frame, false);
    let content = this.#y;
    const least = frame.placement.minHeight ?? 0;
    const isOpen = isOpenBelow(frame) && content + rigid >= least;
    if (!isOpen) content += this.#pending.sum;
    if (frame.layout.isRoot) content = Math.max(content, this.#floats.bottom - this.#at.y);
    const own = Math.max(0, content) + rigid;
    const height = this.#box.height ?? (this.#box.isUnbounded ? own : clampHeight(frame.placement, own));
    const lines = this.#children.filter(({ node }) => !node.placement.float);
    const baselineOf = (child: PlacedFragment | undefined, name: 'baseline' | 'lastBaseline') => {
      const found =
        child &&
        (name === 'baseline' ? child.fragment.baseline : (child.fragment.lastBaseline ?? child.fragment.baseline));
      return child && found !== null && found !== undefined ? child.y + found : null;
    };
    const has = ({ fragment }: PlacedFragment) => fragment.baseline !== null;
    return {
      size: { width: this.#box.width, height },
      baseline: baselineOf(lines.find(has), 'baseline'),
      lastBaseline: frame.clip ? null : baselineOf(lines.findLast(has), 'lastBaseline'),
      children: this.#children,
      ...(isOpen && { below: this.#pending }),
      ...(statics.size > 0 && { statics }),
    };
  }

  #add(child: SceneNode): void {
    const node = this.#flow.settled(child, this.#frame, this.#room);
    if (node.placement.float) {
      const top = this.#y + (this.#isOpen ? 0 : this.#pending.sum);
      this.#children.push(this.#float(child, node, top));
      return;
    }
    if (child.type === 'text' && !isBlockish(child)) {
      this.#endMargins();
      const lines = this.#lines(child);
      this.#push(child, node, lines, 0, this.#y);
      this.#y += lines.size.height;
      return;
    }
    const isEmpty = isCollapsed(this.#flow, node, this.#room);
    // Those of the first children are above the block itself.
    if (!this.#isOpen) addAbove(this.#flow, node, this.#room, this.#pending);
    let y = this.#y + (this.#isOpen ? 0 : this.#pending.sum);
    const { clear } = node.placement;
    if (clear) {
      const bottom = this.#floats.below(clear) - this.#at.y;
      if (bottom > y) {
        y = bottom;
        this.#isOpen = false;
      }
    }
    const { x, width, top } = this.#across(node, y);
    const fragment = this.#layOut(node, width, { x, y: top });
    this.#push(child, node, fragment, x, top);
    if (isEmpty && !clear) {
      if (!this.#isOpen) addThrough(this.#flow, node, this.#room, this.#pending);
      return;
    }
    this.#y = top + fragment.size.height;
    this.#isOpen = false;
    this.#pending = new Margins();
    this.#pending.add(node.placement.margin.bottom);
    const { below } = fragment;
    if (below) for (const margin of [below.most, below.least]) this.#pending.add(margin);
  }

  /** The margins so far end here. */
  #endMargins(): void {
    if (!this.#isOpen) this.#y += this.#pending.sum;
    this.#pending = new Margins();
    this.#isOpen = false;
  }

  #push(node: SceneNode, settled: SceneNode, fragment: Fragment, x: number, y: number): void {
    const { placement } = settled;
    const shift = shiftOf(placement, this.#frame.direction, this.#room.width, this.#room.height);
    this.#children.push({ node, settled, fragment, x: this.#origin.x + x, y: this.#origin.y + y, shift });
  }

  #layOut(node: SceneNode, width: number, { x, y }: Point): Fragment {
    const height = isColumns(node) ? this.#columnRoom(y) : this.#height(node);
    const given = { width, height, hugs: false };
    const isInside = isBlock(node) && !node.layout.isRoot;
    if (!isInside || (this.#floats.isEmpty && !hasFloats(node))) return this.#flow.layOut(node, given);
    return layOutBlock(this.#flow, node, given, {
      floats: this.#floats,
      at: { x: this.#at.x + x, y: this.#at.y + y },
    });
  }

  /** The most height that columns at `y` may have, px; null = any. */
  #columnRoom(y: number): number | null {
    const { maxHeight } = this.#frame.placement;
    const most = this.#room.height ?? (maxHeight === null ? null : maxHeight - rigidSize(this.#frame, false));
    return most === null ? null : Math.max(0, most - y);
  }

  #height(node: SceneNode): number | null {
    const { placement } = node;
    const { height } = placement;
    const whole = this.#room.height;
    const least = rigidSize(node, false);
    if (height.kind === 'px') return Math.max(least, clampHeight(placement, height.value));
    if (height.kind === 'percent' && whole !== null)
      return Math.max(least, clampHeight(placement, percentOf(height, whole)));
    return null;
  }

  /** The width of a child and where it begins; what keeps to itself stands beside floats, or below them. */
  #across(node: SceneNode, y: number): { readonly x: number; readonly width: number; readonly top: number } {
    const isApart = !isBlock(node) || node.layout.isRoot;
    if (!isApart || this.#floats.isEmpty) return { ...this.#within(node, 0, this.#room.width), top: y };
    const [left, right] = [this.#at.x, this.#at.x + this.#room.width];
    let top = y;
    for (;;) {
      const free = (height: number) => {
        const room = this.#floats.room(this.#at.y + top, height, left, right);
        return { ...room, width: Math.max(0, room.right - room.left) };
      };
      const first = free(0);
      // As high as it is there, it may meet floats that begin below its top.
      const narrow = this.#within(node, first.left - left, first.width);
      const { size } = this.#layOut(node, narrow.width, { x: narrow.x, y: top });
      const room = free(size.height);
      const placed = this.#within(node, room.left - left, room.width);
      const isFluid = node.placement.width.kind === 'fill';
      if (room.below === null || (isFluid ? room.width > 0 : placed.width <= room.width + 0.01))
        return { ...placed, top };
      top = room.below - this.#at.y;
    }
  }

  #within(node: SceneNode, left: number, free: number): { readonly x: number; readonly width: number } {
    const { placement } = node;
    const { margin, autoMargins } = placement;
    const width = this.#width(node, free);
    const spare = free - width - marginsAlong(placement, true);
    const isRtl = this.#frame.direction === 'rtl';
    if (hasAutoMargin(placement, true) && spare > 0) {
      const share = autoMargins?.left && autoMargins.right ? 0.5 : autoMargins?.left ? 1 : 0;
      return { x: left + margin.left + spare * share, width };
    }
    return { x: left + (isRtl ? free - margin.right - width : margin.left), width };
  }

  #width(node: SceneNode, free: number): number {
    const { placement } = node;
    const { width } = placement;
    const room = free - marginsAlong(placement, true);
    const rigid = leastWidth(this.#flow, node);
    if (width.kind === 'px') return Math.max(rigid, clampWidth(placement, width.value));
    if (width.kind === 'percent') return Math.max(rigid, clampWidth(placement, percentOf(width, this.#room.width)));
    if (width.kind === 'fill') {
      const height = placement.aspectRatio === null ? null : this.#height(node);
      const byRatio = height === null ? room : height * (placement.aspectRatio ?? 1);
      return Math.max(rigid, clampWidth(placement, Math.max(0, byRatio)));
    }
    const widths = this.#flow.contentWidths(node, this.#height(node));
    const isReplaced = node.type !== 'frame' && node.type !== 'table';
    return Math.max(rigid, clampWidth(placement, isReplaced ? widths.max : fitContent(widths, room)));
  }

  #float(child: SceneNode, node: SceneNode, top: number): PlacedFragment {
    const { placement } = node;
    const { margin, float = 'left', clear } = placement;
    const fragment = this.#flow.layOut(node, {
      width: this.#width(node, this.#room.width),
      height: this.#height(node),
      hugs: true,
    });
    const size = {
      width: fragment.size.width + margin.left + margin.right,
      height: fragment.size.height + margin.top + margin.bottom,
    };
    const least = Math.max(this.#at.y + top, clear ? this.#floats.below(clear) : Number.NEGATIVE_INFINITY);
    const corner = this.#floats.add(float, size, least, this.#at.x, this.#at.x + this.#room.width);
    const x = this.#origin.x + corner.x - this.#at.x + margin.left;
    const y = this.#origin.y + corner.y - this.#at.y + margin.top;
    const shift = shiftOf(placement, this.#frame.direction, this.#room.width, this.#room.height);
    return { node: child, settled: node, fragment, x, y, shift };
  }

  #lines(node: TextNode): Fragment {
    const { width } = this.#room;
    const holdsFloats = node.spans.some(({ atom }) => atom?.kind === 'float');
    if (this.#floats.isEmpty && !holdsFloats) return this.#flow.layOutLines(node, width, null);
    const [left, y] = [this.#at.x, this.#y];
    const room: FloatRoom = {
      beside: (top, height) => {
        const found = this.#floats.room(this.#at.y + y + top, height, left, left + width);
        const below = found.below === null ? null : found.below - this.#at.y - y;
        return { left: found.left - left, width: Math.max(0, found.right - found.left), below };
      },
      placeFloat: (child, top) => {
        const placed = this.#float(child, this.#flow.settled(child, this.#frame, this.#room), y + top);
        return { ...placed, x: placed.x - this.#origin.x, y: placed.y - this.#origin.y - y };
      },
    };
    return this.#flow.layOutLines(node, width, room);
  }
}

/** Whether a text is a block of its own, as no text of a page is. */
const isBlockish = ({ placement }: TextNode): boolean => placement.absolute;

const edgeAbove = ({ padding, border, sideBorders }: FrameNode) =>
  padding.top > 0 || (sideBorders ? sideBorders.top !== null : border !== null);
const edgeBelow = ({ padding, border, sideBorders }: FrameNode) =>
  padding.bottom > 0 || (sideBorders ? sideBorders.bottom !== null : border !== null);

/** Whether the margin of the first child meets that of the block. */
const isOpenAbove = (node: SceneNode): node is BlockFrame => isBlock(node) && !node.layout.isRoot && !edgeAbove(node);
/** Whether that of the last child does. */
const isOpenBelow = (node: SceneNode): node is BlockFrame =>
  isBlock(node) && !node.layout.isRoot && !edgeBelow(node) && node.placement.height.kind === 'hug';

/** The children in flow, without floats. */
const blocksOf = (flow: Flow, frame: BlockFrame): readonly SceneNode[] =>
  flow.items(frame).filter(({ placement }) => !placement.float);

/** Whether the margins above and below a block meet (8.3.1): it has no height of any kind. */
function isCollapsed(flow: Flow, node: SceneNode, room: Block): boolean {
  if (!isBlock(node) || node.layout.isRoot || edgeAbove(node) || edgeBelow(node)) return false;
  const { height, minHeight, aspectRatio } = node.placement;
  if (aspectRatio !== null) return false;
  if ((height.kind === 'px' && height.value > 0) || (height.kind === 'percent' && room.height !== null) || minHeight)
    return false;
  return blocksOf(flow, node).every((child) => isCollapsed(flow, child, room));
}

/** Adds the margins above a block that meet: its own, and those of its first children. */
function addAbove(flow: Flow, node: SceneNode, room: Block, margins: Margins): void {
  margins.add(node.placement.margin.top);
  if (!isOpenAbove(node)) return;
  const inside = roomIn(node, room);
  for (const child of blocksOf(flow, node)) {
    const own = flow.settled(child, node, inside);
    if (isText(own) || own.placement.clear) return;
    if (!isCollapsed(flow, own, inside)) {
      addAbove(flow, own, inside, margins);
      return;
    }
    addThrough(flow, own, inside, margins);
  }
}

/** The content box of a block, as far as its width is known before it is laid out. */
function roomIn(node: SceneNode, { width, height }: Block): Block {
  const { placement } = node;
  if (width === null) return { width, height };
  const own = placement.width;
  const whole =
    own.kind === 'px'
      ? own.value
      : own.kind === 'percent'
        ? percentOf(own, width)
        : width - marginsAlong(placement, true);
  return { width: Math.max(0, clampWidth(placement, whole) - rigidSize(node, true)), height: null };
}

/** Adds all the margins of a block without height. */
function addThrough(flow: Flow, node: SceneNode, room: Block, margins: Margins): void {
  margins.add(node.placement.margin.top);
  margins.add(node.placement.margin.bottom);
  if (!isBlock(node)) return;
  const inside = roomIn(node, room);
  for (const child of blocksOf(flow, node)) addThrough(flow, flow.settled(child, node, inside), inside, margins);
}

const isText = (node: SceneNode): node is TextNode => node.type === 'text';

/** Whether floats of the formatting context around a block are in it. */
const floating = new WeakMap<SceneNode, boolean>();
function hasFloats(node: SceneNode): boolean {
  if (isText(node)) return node.spans.some(({ atom }) => atom?.kind === 'float');
  if (!isBlock(node) || node.layout.isRoot) return false;
  let known = floating.get(node);
  if (known === undefined) {
    known = node.children.some((child) => child.placement.float !== undefined || hasFloats(child));
    floating.set(node, known);
  }
  return known;
}

/** Min- and max-content of a block's border box, px. */
export function blockWidths(flow: Flow, frame: BlockFrame): IntrinsicWidths {
  const rigid = rigidSize(frame, true);
  let [min, max, beside] = [0, 0, 0];
  for (const child of flow.items(frame)) {
    const node = flow.settled(child, frame, { width: null, height: null });
    const own = outerWidths(flow, node, child);
    const isCaption = frame.layout.isCaptioned && !(node.type === 'frame' && node.layout?.type === 'cells');
    min = Math.max(min, own.min);
    if (isCaption) continue;
    // Floats stand beside each other while there is room.
    if (node.placement.float) beside = (node.placement.clear ? 0 : beside) + own.max;
    const isBeside = isText(node) || (isBlock(node) && node.layout.isRoot);
    max = Math.max(max, beside, !node.placement.float && isBeside ? beside + own.max : own.max);
  }
  return { min: rigid + min, max: rigid + Math.max(min, max) };
}
