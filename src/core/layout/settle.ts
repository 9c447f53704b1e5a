// Replaces what a node has relative to its surroundings or its content by px: percentages of edges and limits, and
// CSS's intrinsic sizes. The rest of layout then reads px only.
//
// Where the containing block is not known, percentages count as CSS has it (CSS Sizing 3, section 5.2.1): edges as 0,
// limits as none.

import type {
  Dimension,
  FlexLayout,
  FrameNode,
  GridLayout,
  Intrinsic,
  Length,
  SceneNode,
  Sides,
} from '../resolve/scene.ts';
import { isFlex, isRow, percentOf as lengthPercent, marginsAlong } from './axis.ts';
import type { Block } from './fragment.ts';
import { type Flow, fitContent } from './fragment.ts';

const NONE: Sides<number> = { top: 0, right: 0, bottom: 0, left: 0 };

/** @param around the frame that lays the node out; null if it is only measured, or absolutely placed */
export function settle(flow: Flow, node: SceneNode, around: FrameNode | null, block: Block): SceneNode {
  const { relative, ...placement } = node.placement;
  if (relative === null) return node;
  const { width, height } = block;
  const percentOf = (whole: number | null) => (length: Length | null) => {
    if (length === null || whole === null) return null;
    return length.kind === 'px' ? length.value : lengthPercent(length, whole);
  };
  const edges = (px: Sides<number>, percents: Sides<number | null> | null) => {
    if (percents === null || width === null) return px;
    const side = (own: number, percent: number | null) => own + ((percent ?? 0) / 100) * width;
    return {
      top: side(px.top, percents.top),
      right: side(px.right, percents.right),
      bottom: side(px.bottom, percents.bottom),
      left: side(px.left, percents.left),
    };
  };
  const outside = relative.isOutside ? edges(NONE, relative.padding) : NONE;
  const [across, down] = [outside.left + outside.right, outside.top + outside.bottom];
  const grown = (size: Dimension, by: number): Dimension =>
    size.kind === 'px'
      ? { kind: 'px', value: size.value + by }
      : size.kind === 'percent' && by !== 0
        ? { ...size, plus: (size.plus ?? 0) + by }
        : size;
  const grownLimit = (limit: number | null, by: number) => (limit === null ? null : limit + by);
  const content: SceneNode = {
    ...node,
    ...(node.type === 'frame' && { padding: edges(node.padding, relative.padding) }),
    placement: {
      ...placement,
      relative: null,
      width: grown(placement.width, across),
      height: grown(placement.height, down),
      margin: edges(placement.margin, relative.margin),
      minHeight: grownLimit(percentOf(height)(relative.minHeight) ?? placement.minHeight, down),
      maxHeight: grownLimit(percentOf(height)(relative.maxHeight) ?? placement.maxHeight, down),
    },
  };
  const { placement: own } = content;
  const intrinsic = ({ kind }: Intrinsic): number => {
    const widths = flow.contentWidths(content, own.height.kind === 'px' ? own.height.value : null);
    if (kind === 'fit-content' && width !== null) {
      return fitContent(widths, Math.max(0, width - marginsAlong(own, true)));
    }
    return kind === 'min-content' ? widths.min : widths.max;
  };
  // `fit-content` of a node that no frame lays out is what `hug` is: between its least and its largest size.
  const sized = (size: Intrinsic | null) =>
    size === null || (size.kind === 'fit-content' && around === null)
      ? null
      : ({ kind: 'px', value: intrinsic(size) } as const);
  const limit = (length: Length | Intrinsic | null) =>
    length === null || length.kind === 'px' || length.kind === 'percent' ? percentOf(width)(length) : intrinsic(length);
  const isBasisWide = around === null || !isFlex(around) || isRow(around);
  return {
    ...content,
    placement: {
      ...own,
      width: sized(relative.width) ?? own.width,
      minWidth: grownLimit(limit(relative.minWidth) ?? own.minWidth, across),
      maxWidth: grownLimit(limit(relative.maxWidth) ?? own.maxWidth, across),
      flexBasis:
        (isBasisWide ? sized(relative.flexBasis) : null) ??
        (own.flexBasis && grown(own.flexBasis, isBasisWide ? across : down)),
      // By content in height is `hug` that is not stretched.
      ...(relative.height &&
        around &&
        isAligning(around.layout) && { alignSelf: unstretched(own.alignSelf, around, around.layout) }),
    },
  };
}

const isAligning = (layout: FrameNode['layout']): layout is FlexLayout | GridLayout =>
  layout?.type === 'flex' || layout?.type === 'grid';

function unstretched(
  own: SceneNode['placement']['alignSelf'],
  around: FrameNode,
  layout: FlexLayout | GridLayout,
): typeof own {
  if (isFlex(around) && !isRow(around)) return own;
  return (own === 'auto' ? layout.align : own) === 'stretch' ? 'start' : own;
}

/** A frame whose gaps are px, for a content box of this size. */
export function withGaps<Frame extends FrameNode & { readonly layout: FlexLayout | GridLayout }>(
  frame: Frame,
  { width, height }: Block,
): Frame {
  const { percentGaps, rowGap, columnGap } = frame.layout;
  if (percentGaps === null) return frame;
  const gap = (px: number, percent: number | null, whole: number | null) =>
    percent === null ? px : (percent / 100) * (whole ?? 0);
  const gaps = { rowGap: gap(rowGap, percentGaps.row, height), columnGap: gap(columnGap, percentGaps.column, width) };
  return { ...frame, layout: { ...frame.layout, ...gaps } };
}
