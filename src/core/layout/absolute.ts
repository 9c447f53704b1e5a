// Computes the corner and the size constraint of an absolutely placed node in its containing block.
//
// CSS absolute positioning with `left` and `top` set: a width that is not given shrinks to fit the space right of x.

import type { Point, Rect, Size } from '../geometry.ts';
import type { Dimension, Placement } from '../resolve/scene.ts';
import { type Constraint, clampHeight, clampWidth } from './content-size.ts';

export function absoluteOrigin(placement: Placement, within: Rect): Point {
  return { x: within.x + placement.x + placement.margin.left, y: within.y + placement.y + placement.margin.top };
}

export function absoluteConstraint(placement: Placement, within: Size): Constraint {
  const left = remaining(placement, within);
  const width = definiteSize(placement.width, within.width, left.width);
  const height = definiteSize(placement.height, within.height, left.height);
  return {
    width: width === null ? null : clampWidth(placement, width),
    height: height === null ? null : clampHeight(placement, height),
    // Text that starts outside its block is out of sight anyway; wrapping it to zero width would gain nothing.
    maxWidth: left.width > 0 ? left.width : Number.POSITIVE_INFINITY,
    maxHeight: left.height > 0 ? left.height : Number.POSITIVE_INFINITY,
  };
}

/**
 * The size of a frame without layout: a side that neither is given nor follows from the aspect ratio fills the block.
 */
export function unlaidFrameSize(placement: Placement, within: Size): Size {
  const given = absoluteConstraint(placement, within);
  const left = remaining(placement, within);
  const ratio = placement.aspectRatio;
  const byHeight = ratio !== null && given.height !== null ? given.height * ratio : Math.max(0, left.width);
  const width = given.width ?? clampWidth(placement, byHeight);
  const byWidth = ratio !== null ? width / ratio : Math.max(0, left.height);
  return { width, height: given.height ?? clampHeight(placement, byWidth) };
}

/** The block's size left after the node's position and margins, px; negative when the node lies outside. */
function remaining({ x, y, margin }: Placement, within: Size): Size {
  return {
    width: within.width - x - margin.left - margin.right,
    height: within.height - y - margin.top - margin.bottom,
  };
}

/** px, or null where the content decides. `fill` takes `left`, the space that the block has left. */
function definiteSize(size: Dimension, whole: number, left: number): number | null {
  switch (size.kind) {
    case 'px':
      return size.value;
    case 'percent':
      return (whole * size.value) / 100;
    case 'fill':
      return Math.max(0, left);
    case 'hug':
      return null;
  }
}
