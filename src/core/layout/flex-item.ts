// Computes the flex base size, limits and alignment of a flex frame's child (CSS Flexbox 1, sections 4.5 and 9.2).
//
// Yoga has no automatic minimum size and bounds what it measures by its parent, so content sizes are resolved here, to
// px. `fill` is CSS's `flex: 1 1 0` on the main axis and `stretch` on the cross axis; a node that hugs is as large as
// its content.

import type { Dimension, SceneNode } from '../resolve/scene.ts';
import {
  bordered,
  type FlexFrame,
  hasAutoMargin,
  isCells,
  isRow,
  limits,
  marginsAlong,
  percentOf,
  rigidSize,
} from './axis.ts';
import type { FlexibleItem } from './flexible-lengths.ts';
import { type Flow, type Fragment, fitContent, type IntrinsicWidths, leastWidth } from './fragment.ts';

export interface FlexItem extends FlexibleItem {
  /** The child itself; `node` is the child with its relative sizes in px. */
  readonly child: SceneNode;
  readonly node: SceneNode;
  /** The sum of both margins on the main axis, px. */
  readonly margins: number;
  readonly align: PlainAlignment;
  /** Whether it lies at the start of its line where that has too little space for it. */
  readonly isSafe: boolean;
  /** The border box's cross size before stretching, px; null = the height that follows from its width. */
  readonly cross: number | null;
  /** Whether it is stretched to its line's cross size, which is not known yet. */
  readonly stretches: boolean;
  /** Whether its height is definite, given by itself or by its frame, so that its content may rely on it. */
  readonly hasHeight: boolean;
  /** Whether its width comes from its content. */
  readonly hugs: boolean;
}

/** The items `start` to `end` (exclusive) share a line; `room` is its main size without margins and gaps, px. */
export interface FlexLine {
  readonly start: number;
  readonly end: number;
  readonly room: number;
}

/** A frame's content box, as far as it is known, px. */
export interface AvailableSpace {
  readonly width: number;
  /** null = as tall as the content, within `minHeight` and `maxHeight`. */
  readonly height: number | null;
  readonly minHeight: number;
  readonly maxHeight: number;
  /** Whether the width came from the content. */
  readonly hugs: boolean;
}

export function flexItem(flow: Flow, frame: FlexFrame, room: AvailableSpace, child: SceneNode): FlexItem {
  const node = flow.settled(child, frame, room);
  const p = node.placement;
  const row = isRow(frame);
  const width = sizing(node, p.width, true);
  const height = sizing(node, p.height, room.height !== null);
  const mainSize = row ? width : height;
  const crossSize = row ? height : width;
  const wanted =
    crossSize.kind !== 'fill' && hasAutoMargin(p, !row) ? 'start' : alignmentOf(flow, frame, node, crossSize);
  const align = PLAIN[wanted];
  const stretches = align === 'stretch' && (crossSize.kind === 'fill' || crossSize.kind === 'hug');
  const withinCross = (size: number) => Math.max(row ? 0 : leastWidth(flow, node), bordered(node, !row, size));

  // The line of a frame that does not wrap has the frame's cross size, so a stretched size is known at once.
  const roomAcross = row ? room.height : room.width;
  const across = roomAcross === null ? null : roomAcross - marginsAlong(p, !row);
  const isStretchedAtOnce = stretches && frame.layout.wrap === 'nowrap' && across !== null;
  const givenCross = lengthOf(crossSize, roomAcross) ?? (isStretchedAtOnce ? Math.max(0, across) : null);
  const hugs = !isGiven(width) && (room.hugs || (row ? width.kind !== 'fill' : !isStretchedAtOnce));

  let cross = givenCross === null ? null : withinCross(givenCross);
  if (!row && cross === null) {
    const content = flow.contentWidths(node, lengthOf(mainSize, room.height));
    cross = withinCross(fitContent(content, across ?? content.max));
  }

  const given = lengthOf(mainSize, row ? room.width : room.height);
  const rigid = rigidSize(node, row);
  const own = limits(p, row);
  // The flex base size is that of the content; minimum and maximum apply afterwards.
  const isUnbounded = own.min !== null || own.max < Number.POSITIVE_INFINITY;
  const contentMain = () =>
    row
      ? flow.contentWidths(node, cross)
      : heightOf(flow.layOut(node, { width: cross ?? 0, height: null, hugs, isUnbounded }));
  const automatic = () => Math.min(contentMain().min, given ?? Number.POSITIVE_INFINITY, own.max);
  const minimum = () =>
    Math.max(row ? leastWidth(flow, node) : rigid, own.min ?? (flow.keepsWhole(node) ? automatic() : 0));

  const basis = p.flexBasis === null || p.flexBasis.kind === 'hug' ? mainSize : p.flexBasis;
  const fills = basis.kind === 'fill';
  // Equal shares need a base size of 0, but a frame that hugs has no space to share yet.
  const isShared = fills && (row ? !room.hugs : room.height !== null);
  const base = isShared ? 0 : (lengthOf(basis, row ? room.width : room.height) ?? given ?? contentMain().max);
  // The base of an item that starts at its own size is no less than its automatic minimum: measuring that is needless.
  const startsAtOwnSize = p.flexBasis === null && !fills && own.min === null && !isCells(node);
  const bounded = Math.max(rigid, Math.min(base, own.max));
  return {
    child,
    node,
    base: Math.max(base, rigid),
    hypothetical: startsAtOwnSize ? bounded : Math.max(minimum(), bounded),
    rigid,
    min: minimum,
    max: own.max,
    grow: fills ? p.flexGrow || 1 : p.flexGrow,
    shrink: fills ? Math.max(1, p.flexShrink) : p.flexShrink,
    margins: marginsAlong(p, row),
    align,
    isSafe: align !== wanted,
    cross,
    stretches: stretches && !isStretchedAtOnce,
    hasHeight: row ? cross !== null : isGiven(p.height),
    hugs,
  };
}

const heightOf = ({ size }: Fragment): IntrinsicWidths => ({ min: size.height, max: size.height });

/** The alignment of a child on the cross axis, with `hug` and `fill` taken into account. */
function alignmentOf(
  flow: Flow,
  { layout }: FlexFrame,
  node: SceneNode,
  cross: Dimension,
): FlexFrame['layout']['align'] {
  const { alignSelf } = node.placement;
  if (cross.kind === 'fill') return 'stretch';
  if (alignSelf !== 'auto') return alignSelf;
  if (layout.align !== 'stretch' || cross.kind !== 'hug') return layout.align;
  // Images and codes that hug keep their own size; CSS would stretch them, as in pages, which distorts a logo.
  const isOwn = node.type === 'code' || (node.type === 'image' && !node.isReplaced);
  const isPicture = isOwn && flow.keepsRatio(node);
  return isPicture ? 'start' : 'stretch';
}

/** An alignment without `safe`. */
type PlainAlignment = 'start' | 'center' | 'end' | 'stretch' | 'baseline';

const PLAIN: Readonly<Record<FlexFrame['layout']['align'], PlainAlignment>> = {
  ...{ start: 'start', center: 'center', end: 'end', stretch: 'stretch', baseline: 'baseline' },
  ...{ 'safe center': 'center', 'safe end': 'end' },
};

const isGiven = (size: Dimension) => size.kind === 'px' || size.kind === 'percent';

/** Replaces sizes that cannot apply: `hug` of a frame without layout by `fill`, an indefinite percentage by `hug`. */
function sizing(node: SceneNode, size: Dimension, definite: boolean): Dimension {
  if (size.kind === 'hug' && node.type === 'frame' && node.layout === null) return { kind: 'fill' };
  if (size.kind === 'percent' && !definite) return { kind: 'hug' };
  return size;
}

/** px; null unless the size is a length or a percentage of a known size. */
function lengthOf(size: Dimension, whole: number | null): number | null {
  if (size.kind === 'px') return size.value;
  return size.kind === 'percent' && whole !== null ? Math.max(0, percentOf(size, whole)) : null;
}
