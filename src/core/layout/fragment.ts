// The result of laying out a node, and the interface through which a frame lays out its children.

import type { Point, Rect, Size } from '../geometry.ts';
import type { FrameNode, SceneNode, TextNode } from '../resolve/scene.ts';
import type { LineRoom, Paragraph } from '../text/paragraph.ts';
import type { PlainLines } from '../text/plain-lines.ts';
import { isCells, marginsAlong, rigidSize } from './axis.ts';
import type { LayoutBox, UsedColumns } from './box.ts';
import { clampHeight, clampWidth } from './content-size.ts';

/** A node laid out at one size: its border box and the positions of its in-flow children. */
export interface Fragment {
  readonly size: Size;
  /** From the top of the box down to its first baseline, px; null where nothing in it has one. */
  readonly baseline: number | null;
  /** The same of its last line, which a block has in a line of others; absent = it is the first. */
  readonly lastBaseline?: number | null | undefined;
  /** Of a block, the margins of what is last in it that meet its own below; absent = none do. */
  readonly below?: MetMargins | undefined;
  /** Of a text that has boxes in its lines, or lines beside floats: its lines, with the sizes of its boxes. */
  readonly text?: { readonly node: TextNode; readonly paragraph: Paragraph } | undefined;
  /** Of a row of columns: these, and what they divide. */
  readonly columns?: { readonly used: UsedColumns; readonly whole: Fragment } | undefined;
  readonly children: readonly PlacedFragment[];
  /** Of a packed row, instead of children. Called within `Flow.apart`. */
  readonly cells?: (() => readonly PlacedFragment[]) | undefined;
  /** How far below the top of the border box absolutely placed children would be in the flow, px. */
  readonly statics?: ReadonlyMap<SceneNode, number> | undefined;
  /** The areas of absolutely placed children that name one in this grid, from the corner of its border box. */
  readonly areas?: ReadonlyMap<SceneNode, Rect> | undefined;
}

/** Margins that meet: the largest and the most negative one, px. */
export interface MetMargins {
  readonly most: number;
  readonly least: number;
}

/** A child's border box, px from the top left of its frame's border box. */
export interface PlacedFragment {
  readonly node: SceneNode;
  /** The same with its relative sizes in px. */
  readonly settled: SceneNode;
  readonly x: number;
  readonly y: number;
  /** How far CSS's relative positioning moves it from there, px; null = not. */
  readonly shift: Point | null;
  readonly fragment: Fragment;
}

/** The border box that a node is to be laid out in. */
export interface BoxSize {
  readonly width: number;
  /** null = as tall as the content. */
  readonly height: number | null;
  /** Whether the width came from the content: then there is no space yet for `fill` to share equally. */
  readonly hugs: boolean;
  /** Whether a height that is not given ignores the node's minimum and maximum. */
  readonly isUnbounded?: boolean;
}

/** Min- and max-content: the border box's width at its narrowest without overflow and its widest without a wrap, px. */
export interface IntrinsicWidths {
  readonly min: number;
  readonly max: number;
}

/** Computes the minimum on first use: most content has enough room, and its minimum is never needed. */
export class LazyWidths implements IntrinsicWidths {
  readonly max: number;
  readonly #minOf: () => number;
  #min: number | null = null;

  constructor(max: number, minOf: () => number) {
    this.max = max;
    this.#minOf = minOf;
  }

  get min(): number {
    this.#min ??= this.#minOf();
    return this.#min;
  }
}

/** CSS fit-content: `room`, clamped between min-content and max-content. */
export function fitContent(widths: IntrinsicWidths, room: number): number {
  return room >= widths.max ? widths.max : Math.min(widths.max, Math.max(widths.min, room));
}

/** What the layout of a frame may ask about any node. Results are cached for one render. */
export interface Flow {
  /** The in-flow children: those that are neither absolutely placed nor left out (see ContentSizes.has). */
  items(frame: FrameNode): readonly SceneNode[];
  layOut(node: SceneNode, box: BoxSize): Fragment;
  /** What lays out texts like this one on one line; null = each of them is laid out by itself. */
  plainLines(like: TextNode): PlainLines | null;
  /** What is found of a frame once. @param find called the first time */
  once<Found>(frame: FrameNode, find: () => Found): Found;
  /** Does some work of which nothing is kept but its result. */
  apart<Result>(work: () => Result): Result;
  /** The box of a node that is laid out, at a place, px. */
  boxOf(node: SceneNode, rect: Rect, fragment: Fragment): LayoutBox;
  /** A text of a block, as wide as that. @param beside floats; `place` places one of the text's own, at a line */
  layOutLines(node: TextNode, width: number, beside: FloatRoom | null): Fragment;
  /** The node with px for what is relative to its containing block or its content; see settle.ts. */
  settled(node: SceneNode, around: FrameNode | null, block: Block): SceneNode;
  /**
   * The widths by content alone, without the node's own width, minimum and maximum.
   *
   * @param height the border box's height where it is known: a node with a ratio follows it
   */
  contentWidths(node: SceneNode, height: number | null): IntrinsicWidths;
  /** Whether the node has proportions of its own: from its aspect ratio, its image or its modules. */
  keepsRatio(node: SceneNode): boolean;
  /** Whether CSS's automatic minimum size is that of the content: not if it is clipped or fitted. Images may shrink. */
  keepsWhole(node: SceneNode): boolean;
}

/** The floats beside a text; px from its top left. */
export interface FloatRoom extends Pick<LineRoom, 'beside'> {
  placeFloat(node: SceneNode, top: number): PlacedFragment;
}

/** The containing block, px; null = not known. */
export interface Block {
  readonly width: number | null;
  readonly height: number | null;
}

/** The least and the most, with its margins, px. @param source the node before its relative sizes were settled */
export function outerWidths(flow: Flow, node: SceneNode, source: SceneNode = node): IntrinsicWidths {
  if (isCompressible(source)) return { min: 0, max: measured(flow, node).max };
  return measured(flow, node);
}

/** CSS Sizing 3, 5.2.2: a picture of which the width is a share of what is around it takes no room of its own there. */
const isCompressible = ({ type, placement }: SceneNode): boolean =>
  type === 'image' && (placement.width.kind === 'percent' || placement.relative?.maxWidth?.kind === 'percent');

/** The width that a box never goes below, px: of its borders and padding, or of what is in a table (CSS Tables 3, 3.8.1). */
export const leastWidth = (flow: Flow, node: SceneNode): number =>
  isCells(node) ? flow.contentWidths(node, null).min : rigidSize(node, true);

function measured(flow: Flow, node: SceneNode): IntrinsicWidths {
  const { placement } = node;
  const { width } = placement;
  const margins = marginsAlong(placement, true);
  const rigid = leastWidth(flow, node);
  if (width.kind === 'px') {
    const own = Math.max(rigid, clampWidth(placement, width.value)) + margins;
    return { min: own, max: own };
  }
  const { height } = placement;
  const { min, max } = flow.contentWidths(node, height.kind === 'px' ? clampHeight(placement, height.value) : null);
  const clamp = (value: number) => Math.max(rigid, clampWidth(placement, value)) + margins;
  return { min: clamp(min), max: clamp(max) };
}
