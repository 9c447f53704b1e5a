// A flex frame in, the boxes of all that flows in it out. The door to yoga.
//
// Frames in the flow of a flex frame share its tree; what is absolutely placed never enters it, since in CSS it pushes
// nothing. The tree lives outside the garbage collector's reach, so it is freed before this file returns or throws.

import Yoga, {
  Align,
  Direction,
  Edge,
  FlexDirection,
  Gutter,
  Justify,
  MeasureMode,
  Wrap,
  type Node as YogaNode,
} from 'yoga-layout';
import type { Edges, Rect, Size } from '../geometry.ts';
import type { Dimension, FrameNode, LeafNode, SceneNode } from '../resolve/scene.ts';
import { type Constraint, type ContentSizes, clampHeight, clampWidth } from './content-size.ts';

export type FlexFrame = FrameNode & { readonly layout: NonNullable<FrameNode['layout']> };

export interface FlexLayout {
  /** The frame's own border box. */
  readonly size: Size;
  /** Border boxes of all that flows in it, however deep; px from the frame's top left. */
  readonly rects: ReadonlyMap<SceneNode, Rect>;
}

export function isFlex(node: SceneNode): node is FlexFrame {
  return node.type === 'frame' && node.layout !== null;
}

const config = Yoga.Config.create();
// Whole pixels would move every box away from where CSS puts it.
config.setPointScaleFactor(0);

/** Lays out a flex frame whose own position is known; its minimum, maximum and aspect ratio are kept. */
export function layOutFlex(frame: FlexFrame, given: Constraint, contents: ContentSizes): FlexLayout {
  const root = Yoga.Node.create(config);
  try {
    const p = frame.placement;
    if (given.width !== null) root.setWidth(clampWidth(p, given.width));
    else if (given.maxWidth < Number.POSITIVE_INFINITY) root.setMaxWidth(clampWidth(p, Math.max(0, given.maxWidth)));
    else root.setMaxWidth(p.maxWidth ?? undefined);
    if (given.height !== null) root.setHeight(clampHeight(p, given.height));
    else root.setMaxHeight(p.maxHeight ?? undefined);
    root.setMinWidth(p.minWidth ?? undefined);
    root.setMinHeight(p.minHeight ?? undefined);
    if (p.aspectRatio !== null && (given.width === null || given.height === null)) root.setAspectRatio(p.aspectRatio);

    const tree = new FlexTree(contents);
    tree.fill(root, frame, { width: given.width !== null, height: given.height !== null }, false);
    root.calculateLayout(undefined, undefined, Direction.LTR);
    return { size: root.getComputedLayout(), rects: tree.rects() };
  } finally {
    root.freeRecursive();
  }
}

/** Whether a size is known before the content is (CSS: definite). */
interface Definite {
  readonly width: boolean;
  readonly height: boolean;
}

class FlexTree {
  readonly #contents: ContentSizes;
  /** Parents before their children. */
  readonly #items: { readonly node: SceneNode; readonly parent: SceneNode; readonly item: YogaNode }[] = [];

  constructor(contents: ContentSizes) {
    this.#contents = contents;
  }

  /**
   * Makes `box` the flex container that `frame` describes, with all that flows in it.
   *
   * @param baselined whether the frame itself is aligned by a baseline, which it takes from what is in it
   */
  fill(box: YogaNode, frame: FlexFrame, definite: Definite, baselined: boolean): void {
    const { layout, padding, border } = frame;
    box.setFlexDirection(DIRECTION[layout.direction]);
    box.setFlexWrap(WRAP[layout.wrap]);
    box.setJustifyContent(JUSTIFY[layout.justify]);
    box.setAlignItems(ALIGN[layout.align]);
    box.setAlignContent(ALIGN[layout.alignContent]);
    box.setGap(Gutter.Row, layout.rowGap);
    box.setGap(Gutter.Column, layout.columnGap);
    setEdges(padding, (edge, length) => box.setPadding(edge, Math.max(0, length)));
    if (border) box.setBorder(Edge.All, border.width);

    for (const node of frame.children) {
      if (node.placement.absolute || !this.#contents.has(node)) continue;
      const item = Yoga.Node.create(config);
      box.insertChild(item, box.getChildCount());
      this.#items.push({ node, parent: frame, item });
      const inner = this.#placeItem(item, node, frame, definite);
      const hangs = baselined || alignsBaseline(node, frame);
      if (isFlex(node)) this.fill(item, node, inner, hangs);
      else if (node.type !== 'frame') this.#measureBy(item, node, hangs);
    }
  }

  rects(): ReadonlyMap<SceneNode, Rect> {
    const rects = new Map<SceneNode, Rect>();
    for (const { node, parent, item } of this.#items) {
      const { left, top, width, height } = item.getComputedLayout();
      const origin = rects.get(parent) ?? { x: 0, y: 0 };
      rects.set(node, { x: origin.x + left, y: origin.y + top, width, height });
    }
    return rects;
  }

  /** Says how an item takes part in its frame's layout; returns which of its sizes its own children can rely on. */
  #placeItem(item: YogaNode, node: SceneNode, frame: FlexFrame, definite: Definite): Definite {
    const p = node.placement;
    const row = isRow(frame);
    const width = sizing(node, p.width, definite.width);
    const height = sizing(node, p.height, definite.height);
    const [main, cross] = row ? [width, height] : [height, width];
    const basis = p.flexBasis ?? main;

    if (width.kind === 'px') item.setWidth(width.value);
    if (width.kind === 'percent') item.setWidthPercent(width.value);
    if (height.kind === 'px') item.setHeight(height.value);
    if (height.kind === 'percent') item.setHeightPercent(height.value);
    item.setMinWidth(p.minWidth ?? undefined);
    item.setMaxWidth(p.maxWidth ?? undefined);
    item.setMinHeight(p.minHeight ?? undefined);
    item.setMaxHeight(p.maxHeight ?? undefined);
    setEdges(p.margin, (edge, length) => item.setMargin(edge, length));

    const fills = basis.kind === 'fill';
    item.setFlexGrow(fills ? p.flexGrow || 1 : p.flexGrow);
    item.setFlexShrink(fills ? Math.max(1, p.flexShrink) : yields(node, row) ? p.flexShrink : 0);
    // Equal shares need an empty start, but where the frame hugs there is nothing to share yet.
    if (fills && (row ? definite.width : definite.height)) item.setFlexBasis(0);
    if (p.flexBasis?.kind === 'px') item.setFlexBasis(p.flexBasis.value);
    if (p.flexBasis?.kind === 'percent') item.setFlexBasisPercent(p.flexBasis.value);

    // Leaves keep their ratio when they are measured; yoga's own is for frames.
    const ownRatio = node.type === 'frame' && p.aspectRatio !== null && !(isGiven(width) && isGiven(height));
    if (ownRatio) item.setAspectRatio(p.aspectRatio ?? undefined);

    const self = this.#alignSelf(node, frame, main, cross);
    if (self !== null) item.setAlignSelf(self);
    const stretched = (self ?? ALIGN[frame.layout.align]) === Align.Stretch && frame.layout.wrap === 'nowrap';
    return {
      width: isGiven(width) || (definite.width && (width.kind === 'fill' || (stretched && !row))),
      height: isGiven(height) || (definite.height && (height.kind === 'fill' || (stretched && row))),
    };
  }

  /** null = as the frame aligns all its items. */
  #alignSelf(node: SceneNode, frame: FlexFrame, main: Dimension, cross: Dimension): Align | null {
    const { alignSelf, aspectRatio } = node.placement;
    // Yoga collapses a stretched item with an aspect ratio in a wrapping frame.
    const collapses = node.type === 'frame' && aspectRatio !== null && frame.layout.wrap !== 'nowrap';
    if (cross.kind === 'fill') return collapses ? Align.FlexStart : Align.Stretch;
    if (alignSelf !== 'auto') return ALIGN[alignSelf];
    if (frame.layout.align !== 'stretch' || cross.kind !== 'hug') return null;
    // A picture that hugs keeps its own size; CSS would stretch it, which nobody asks of a logo.
    if ((node.type === 'image' || node.type === 'code') && this.#contents.keepsRatio(node)) return Align.FlexStart;
    const ratioDecides = aspectRatio !== null && main.kind !== 'hug';
    return collapses || ratioDecides ? Align.FlexStart : null;
  }

  #measureBy(item: YogaNode, node: LeafNode, hangs: boolean): void {
    let measured = item;
    if (node.type === 'text' && hangs) {
      // Yoga takes an item's baseline from a child, so the text hangs from a strut as tall as its first line's ascent.
      const strut = Yoga.Node.create(config);
      const baseline = this.#contents.paragraph(node, null, null).lines[0]?.baseline ?? 0;
      item.insertChild(strut, 0);
      strut.setHeight(baseline);
      strut.setIsReferenceBaseline(true);
      measured = Yoga.Node.create(config);
      item.insertChild(measured, 1);
      measured.setMargin(Edge.Top, -baseline);
      measured.setFlexGrow(1);
      measured.setFlexShrink(1);
    }
    measured.setMeasureFunc((width, widthMode, height, heightMode) =>
      this.#contents.measure(node, {
        width: widthMode === MeasureMode.Exactly ? width : null,
        height: heightMode === MeasureMode.Exactly ? height : null,
        maxWidth: widthMode === MeasureMode.AtMost ? width : Number.POSITIVE_INFINITY,
      }),
    );
  }
}

const isRow = (frame: FlexFrame) => frame.layout.direction === 'row' || frame.layout.direction === 'row-reverse';

const isGiven = (size: Dimension) => size.kind === 'px' || size.kind === 'percent';

/** What a size means here: a frame without layout has nothing to hug, and a percentage needs something to be of. */
function sizing(node: SceneNode, size: Dimension, definite: boolean): Dimension {
  if (size.kind === 'hug' && node.type === 'frame' && node.layout === null) return { kind: 'fill' };
  if (size.kind === 'percent' && !definite) return { kind: 'hug' };
  return size;
}

/** CSS's automatic minimum: text is as tall as its lines and a frame as its children, unless they are cut or fitted. */
function yields(node: SceneNode, row: boolean): boolean {
  if (row) return true;
  if (node.type === 'text') return node.overflow !== 'visible' || node.autoFitMin !== null;
  return !isFlex(node) || node.clip || node.placement.height.kind !== 'hug';
}

function alignsBaseline(node: SceneNode, frame: FlexFrame): boolean {
  const { alignSelf } = node.placement;
  return isRow(frame) && (alignSelf === 'auto' ? frame.layout.align : alignSelf) === 'baseline';
}

function setEdges(edges: Edges, set: (edge: Edge, length: number) => void): void {
  set(Edge.Top, edges.top);
  set(Edge.Right, edges.right);
  set(Edge.Bottom, edges.bottom);
  set(Edge.Left, edges.left);
}

const DIRECTION = {
  row: FlexDirection.Row,
  column: FlexDirection.Column,
  'row-reverse': FlexDirection.RowReverse,
  'column-reverse': FlexDirection.ColumnReverse,
} as const;

const WRAP = { nowrap: Wrap.NoWrap, wrap: Wrap.Wrap, 'wrap-reverse': Wrap.WrapReverse } as const;

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
  baseline: Align.Baseline,
  'space-between': Align.SpaceBetween,
  'space-around': Align.SpaceAround,
  'space-evenly': Align.SpaceEvenly,
} as const;
