// Computes the corner and the size constraint of an absolutely placed node in its containing block.
//
// CSS absolute positioning (CSS Position 3, section 4). A node that names no side has `left` and `top`, its x and y. A
// width that is not given shrinks to fit the space that is left, or fills it between two given sides.

import type { Point, Rect, Size } from '../geometry.ts';
import type { Dimension, FrameNode, LeafNode, Placement, SceneNode } from '../resolve/scene.ts';
import { isFlex, isRow, lengthOf, marginsAlong, percentOf } from './axis.ts';
import { type Constraint, clampHeight, clampWidth } from './content-size.ts';

/** Where a node would be if its frame laid it out alone: CSS's static position. */
export interface StaticPosition {
  readonly frame: FrameNode;
  /** The frame's content box. */
  readonly content: Rect;
}

/** Distances from both sides of the containing block, px; null = `auto`. */
interface Sides {
  readonly start: number | null;
  readonly end: number | null;
}

function sidesOf({ x, y, inset }: Placement, within: Size, horizontal: boolean): Sides {
  if (inset === null) return { start: horizontal ? x : y, end: null };
  return horizontal
    ? { start: lengthOf(inset.left, within.width), end: lengthOf(inset.right, within.width) }
    : { start: lengthOf(inset.top, within.height), end: lengthOf(inset.bottom, within.height) };
}

/** The corner of a node's border box. @param at its static position; null on the canvas */
export function absoluteOrigin(node: SceneNode, within: Rect, size: Size, at: StaticPosition | null): Point {
  const { placement } = node;
  const { margin, inset } = placement;
  if (inset === null) return { x: within.x + placement.x + margin.left, y: within.y + placement.y + margin.top };
  return {
    x: within.x + alongAxis(node, within, size, at, true),
    y: within.y + alongAxis(node, within, size, at, false),
  };
}

/** px from the containing block's left or top. */
function alongAxis(
  { placement }: SceneNode,
  within: Rect,
  size: Size,
  at: StaticPosition | null,
  horizontal: boolean,
): number {
  const { margin, autoMargins } = placement;
  const { start, end } = sidesOf(placement, within, horizontal);
  const [before, after] = horizontal ? [margin.left, margin.right] : [margin.top, margin.bottom];
  const [whole, length] = horizontal ? [within.width, size.width] : [within.height, size.height];
  const fromEnd = whole - (end ?? 0) - after - length;
  if (start !== null && end !== null) {
    const isFromRight = horizontal && at?.frame.direction === 'rtl';
    const free = fromEnd - start - before;
    const autos =
      autoMargins && (horizontal ? [autoMargins.left, autoMargins.right] : [autoMargins.top, autoMargins.bottom]);
    if (autos?.[0] && autos[1]) return start + before + (free > 0 ? free / 2 : isFromRight ? free : 0);
    if (autos?.[0]) return fromEnd;
    return isFromRight && !autos?.[1] ? fromEnd : start + before;
  }
  if (start !== null) return start + before;
  if (end !== null) return fromEnd;
  if (at === null) return before;
  const { content } = at;
  const [corner, room] = horizontal ? [content.x - within.x, content.width] : [content.y - within.y, content.height];
  return corner + before + (room - length - before - after) * staticShare(placement, at.frame, horizontal);
}

/** The share of the free space that lies before a frame's only child. */
function staticShare(placement: Placement, frame: FrameNode, horizontal: boolean): number {
  const word = staticAlignment(placement, frame, horizontal).replace('safe ', '');
  const share = word === 'center' || word === 'space-around' || word === 'space-evenly' ? 0.5 : word === 'end' ? 1 : 0;
  let isReversed = horizontal && frame.direction === 'rtl';
  if (isFlex(frame) && word !== 'baseline') {
    const isMain = isRow(frame) === horizontal;
    if (isMain ? frame.layout.direction.endsWith('reverse') : frame.layout.wrap === 'wrap-reverse') {
      isReversed = !isReversed;
    }
  }
  return isReversed ? 1 - share : share;
}

function staticAlignment({ alignSelf, justifySelf }: Placement, { layout }: FrameNode, horizontal: boolean): string {
  if (layout?.type !== 'flex' && layout?.type !== 'grid') return 'start';
  const isMain = layout.type === 'flex' && layout.direction.startsWith('row') === horizontal;
  if (isMain) return layout.justify;
  if (layout.type === 'grid' && horizontal) return justifySelf === 'auto' ? layout.justifyItems : justifySelf;
  return alignSelf === 'auto' ? layout.align : alignSelf;
}

/**
 * The sizes that are known of a node.
 *
 * @param isFilling whether a size that is not given fills the space between two given sides: not that of a picture
 */
export function absoluteConstraint(
  placement: Placement,
  within: Rect,
  at: StaticPosition | null,
  isFilling: boolean,
): Constraint {
  const left = remaining(placement, within, at);
  const between = isFilling ? betweenSides(placement, within) : NEITHER;
  const width = definiteSize(placement.width, within.width, left.width, between.width);
  const height = definiteSize(placement.height, within.height, left.height, between.height);
  return {
    width: width === null ? null : clampWidth(placement, width),
    height: height === null ? null : clampHeight(placement, height),
    // Text that starts outside its block is out of sight anyway; wrapping it to zero width would gain nothing.
    maxWidth: left.width > 0 ? left.width : Number.POSITIVE_INFINITY,
    maxHeight: left.height > 0 ? left.height : Number.POSITIVE_INFINITY,
  };
}

/** Whether CSS stretches a node between two sides: not a picture, whose proportions are its own. */
export function fillsBetween(node: SceneNode, keepsRatio: (node: LeafNode) => boolean): boolean {
  if (node.placement.inset === null) return false;
  return node.type === 'frame' || node.placement.aspectRatio !== null || !keepsRatio(node);
}

/** On which axes both sides are given, and no word says that the content decides. */
function betweenSides(placement: Placement, within: Size): { readonly width: boolean; readonly height: boolean } {
  const isBoth = ({ start, end }: Sides) => start !== null && end !== null;
  const width = isBoth(sidesOf(placement, within, true)) && !placement.relative?.width;
  const height = isBoth(sidesOf(placement, within, false)) && !placement.relative?.height;
  if (placement.aspectRatio === null) return { width, height };
  // The side that is not given follows from the other one, and of two that are not, the height.
  const isGiven = (size: Dimension) => size.kind !== 'hug';
  return { width: width && !isGiven(placement.height), height: height && !width && !isGiven(placement.width) };
}

const NEITHER = { width: false, height: false };

/**
 * The size of a frame without layout: a side that neither is given nor follows from the aspect ratio fills the block.
 */
export function unlaidFrameSize(placement: Placement, within: Rect, at: StaticPosition | null): Size {
  const given = absoluteConstraint(placement, within, at, false);
  const left = remaining(placement, within, at);
  const ratio = placement.aspectRatio;
  const byHeight = ratio !== null && given.height !== null ? given.height * ratio : Math.max(0, left.width);
  const width = given.width ?? clampWidth(placement, byHeight);
  const byWidth = ratio !== null ? width / ratio : Math.max(0, left.height);
  return { width, height: given.height ?? clampHeight(placement, byWidth) };
}

/** The block's size left after the node's sides and margins, px; negative when the node lies outside. */
function remaining(placement: Placement, within: Rect, at: StaticPosition | null): Size {
  if (placement.inset === null) {
    const { x, y, margin } = placement;
    return {
      width: within.width - x - margin.left - margin.right,
      height: within.height - y - margin.top - margin.bottom,
    };
  }
  const along = (horizontal: boolean, whole: number) => {
    const { start, end } = sidesOf(placement, within, horizontal);
    if (start === null && end === null && at) {
      return afterStatic(placement, within, at, horizontal) - marginsAlong(placement, horizontal);
    }
    return whole - (start ?? 0) - (end ?? 0) - marginsAlong(placement, horizontal);
  };
  return { width: along(true, within.width), height: along(false, within.height) };
}

/** The block's size from a node's static position to the opposite side, px; all of it if the position is in between. */
function afterStatic(placement: Placement, within: Rect, at: StaticPosition, horizontal: boolean): number {
  const [whole, before, length] = horizontal
    ? [within.width, at.content.x - within.x, at.content.width]
    : [within.height, at.content.y - within.y, at.content.height];
  const share = staticShare(placement, at.frame, horizontal);
  return share === 0 ? whole - before : share === 1 ? before + length : whole;
}

/** px, or null where the content decides. `fill`, and what lies between two sides, takes `left`. */
function definiteSize(size: Dimension, whole: number, left: number, isBetween: boolean): number | null {
  switch (size.kind) {
    case 'px':
      return size.value;
    case 'percent':
      return Math.max(0, percentOf(size, whole));
    case 'fill':
      return Math.max(0, left);
    case 'hug':
      return isBetween ? Math.max(0, left) : null;
  }
}
