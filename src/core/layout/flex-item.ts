// A child of a flex frame before its line is known: what CSS asks of it, as numbers. CSS Flexbox 1, sections 4.5 and 9.2.
//
// Yoga has no automatic minimum and bounds what it measures by its parent, so sizes by content are settled here: what is
// handed on is px. `fill` is CSS's `flex: 1 1 0` along the frame and `stretch` across it; what hugs is as large as
// its content.

import type { Dimension, SceneNode } from '../resolve/scene.ts';
import { bordered, type FlexFrame, isRow, limits, marginsAlong, rigidSize } from './axis.ts';
import type { FlexibleItem } from './flexible-lengths.ts';
import { type Flow, type Fragment, fitContent, type IntrinsicWidths } from './fragment.ts';

export interface FlexItem extends FlexibleItem {
  readonly node: SceneNode;
  /** Along the main axis, both together. */
  readonly margins: number;
  readonly align: FlexFrame['layout']['align'];
  /** The border box's cross size before the item is stretched; null = the height that its width makes. */
  readonly cross: number | null;
  /** Whether it takes on its line's cross size, which is not known yet. */
  readonly stretches: boolean;
  /** Whether its height is said by itself or by its frame, so that what is in it may rely on it. */
  readonly hasHeight: boolean;
  /** Whether its width comes from its content. */
  readonly hugs: boolean;
}

/** The items that share a line, `start` up to `end` of all, and what they may fill: it without margins and gaps, px. */
export interface FlexLine {
  readonly start: number;
  readonly end: number;
  readonly room: number;
}

/** A frame's content box, as far as it is known, px. */
export interface Room {
  readonly width: number;
  /** null = as tall as the content, between the two that follow. */
  readonly height: number | null;
  readonly minHeight: number;
  readonly maxHeight: number;
  /** Whether the width came from the content. */
  readonly hugs: boolean;
}

export function flexItem(flow: Flow, frame: FlexFrame, room: Room, node: SceneNode): FlexItem {
  const p = node.placement;
  const row = isRow(frame);
  const width = sizing(node, p.width, true);
  const height = sizing(node, p.height, room.height !== null);
  const mainSize = row ? width : height;
  const crossSize = row ? height : width;
  const align = alignmentOf(flow, frame, node, mainSize, crossSize);
  const stretches = align === 'stretch' && (crossSize.kind === 'fill' || crossSize.kind === 'hug');
  const withinCross = (size: number) => bordered(node, !row, size);

  // One line is as wide as its frame, so what stretches across it is known at once.
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
  // What it starts from is the size of its content; minimum and maximum come after that.
  const isUnbounded = own.min !== null || own.max < Number.POSITIVE_INFINITY;
  const contentMain = () =>
    row
      ? flow.contentWidths(node, cross)
      : heightOf(flow.layOut(node, { width: cross ?? 0, height: null, hugs, isUnbounded }));
  const automatic = () => Math.min(contentMain().min, given ?? Number.POSITIVE_INFINITY, own.max);
  const minimum = () => Math.max(rigid, own.min ?? (flow.keepsWhole(node) ? automatic() : 0));

  const basis = p.flexBasis === null || p.flexBasis.kind === 'hug' ? mainSize : p.flexBasis;
  const fills = basis.kind === 'fill';
  // Equal shares need an empty start, but where the frame hugs there is nothing to share yet.
  const isShared = fills && (row ? !room.hugs : room.height !== null);
  const base = isShared ? 0 : (lengthOf(basis, row ? room.width : room.height) ?? given ?? contentMain().max);
  // What starts at its own size starts no lower than its automatic minimum, which is not worth a layout then.
  const startsAtOwnSize = p.flexBasis === null && !fills && own.min === null;
  const bounded = Math.max(rigid, Math.min(base, own.max));
  return {
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
    cross,
    stretches: stretches && !isStretchedAtOnce,
    hasHeight: row ? cross !== null : isGiven(p.height),
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
): FlexItem['align'] {
  const { alignSelf, aspectRatio } = node.placement;
  if (cross.kind === 'fill') return 'stretch';
  if (alignSelf !== 'auto') return alignSelf;
  if (layout.align !== 'stretch' || cross.kind !== 'hug') return layout.align;
  // A picture that hugs keeps its own size; CSS would stretch it, which nobody asks of a logo.
  const isPicture = (node.type === 'image' || node.type === 'code') && flow.keepsRatio(node);
  const ratioDecides = aspectRatio !== null && main.kind !== 'hug';
  return isPicture || ratioDecides ? 'start' : 'stretch';
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
