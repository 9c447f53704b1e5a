// Operations in, a rectangle around all that they can paint out: for the boxes that PDF wants of groups and masks.
//
// Never too small, and not much too large; `null` when nothing is painted.

import { inflate, intersection, type Point, type Rect, transformRect, union } from '#core/geometry.ts';
import type { Filter, PaintOp, Stroke } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';

/** How far a Gaussian blur is seen, in standard deviations. */
const BLUR_REACH = 3;
/** Letters, marks and flourishes reach no further than this beyond the pen's way, in font sizes. */
const GLYPH_REACH = 2;

export function opsBounds(ops: readonly PaintOp[]): Rect | null {
  return ops.reduce<Rect | null>((bounds, op) => union(bounds, opBounds(op)), null);
}

/** In the coordinates that the operation stands in. */
export function opBounds(op: PaintOp): Rect | null {
  switch (op.kind) {
    case 'fill':
      return pathBounds(op.path);
    case 'stroke':
      return strokeBounds(op.path, op.stroke);
    case 'glyphs': {
      const bounds = runBounds(op.run, op.origin);
      return op.outline && bounds ? inflate(bounds, strokeReach(op.outline.stroke)) : bounds;
    }
    case 'image':
      return op.dest;
    case 'link':
      return null;
    case 'group': {
      const content = filteredBounds(opsBounds(op.ops), op.filters);
      const clip = op.clip && pathBounds(op.clip.path);
      const shown = content && clip ? intersection(content, clip) : op.clip ? null : content;
      return shown && transformRect(op.transform, shown);
    }
  }
}

/** The bounds of a group's pixels once its filters have run. */
export function filteredBounds(bounds: Rect | null, filters: readonly Filter[]): Rect | null {
  return bounds && inflate(bounds, blurReach(filters));
}

/** How far blurs carry colour, px. */
export function blurReach(filters: readonly Filter[]): number {
  return filters.reduce((reach, filter) => reach + (filter.kind === 'blur' ? BLUR_REACH * filter.sigma : 0), 0);
}

/** Around all points, control points too; a curve never leaves these. */
export function pathBounds(path: PathData): Rect | null {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const segment of path) {
    for (let i = 1; i < segment.length; i += 2) {
      const x = segment[i] as number;
      const y = segment[i + 1] as number;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return left <= right ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

export function strokeBounds(path: PathData, stroke: Stroke): Rect | null {
  const bounds = pathBounds(path);
  return bounds && inflate(bounds, strokeReach(stroke));
}

function strokeReach({ width, join, miterLimit, cap }: Stroke): number {
  const corner = join === 'miter' ? Math.max(1, miterLimit) : 1;
  return (width / 2) * Math.max(corner, cap === 'square' ? Math.SQRT2 : 1);
}

export function runBounds({ glyphs, fontSize }: GlyphRun, origin: Point): Rect | null {
  if (glyphs.length === 0) return null;
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { x, y, advance } of glyphs) {
    left = Math.min(left, x);
    right = Math.max(right, x + advance);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const pens = { x: origin.x + left, y: origin.y + top, width: right - left, height: bottom - top };
  return inflate(pens, GLYPH_REACH * fontSize);
}
