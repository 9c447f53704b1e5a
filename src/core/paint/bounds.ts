// Computes the rectangle that contains all paint of some operations; null = they paint nothing.
//
// Never too small, since filter regions, tiles and masks are cut to it. In the coordinates of the operations.

import { inflate, intersection, type Point, type Rect, transformRect, union } from '../geometry.ts';
import { pathBounds } from '../path.ts';
import type { FontFace } from '../text/font-face.ts';
import type { FontSet } from '../text/font-set.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import type { Filter, GroupOp, PaintOp, Stroke } from './display-list.ts';

/** Beyond three standard deviations a Gaussian leaves less than one part in 255. */
const BLUR_REACH = 3;

export function opsBounds(ops: readonly PaintOp[], fonts: FontSet): Rect | null {
  return ops.reduce<Rect | null>((bounds, op) => union(bounds, opBounds(op, fonts)), null);
}

export function opBounds(op: PaintOp, fonts: FontSet): Rect | null {
  switch (op.kind) {
    case 'fill':
      return pathBounds(op.path);
    case 'stroke':
      return grow(pathBounds(op.path), strokeReach(op.stroke));
    case 'glyphs': {
      if (op.brush === null && op.outline === null) return null;
      const reach = op.outline ? strokeReach(op.outline.stroke) : 0;
      return grow(runBounds(op.run, op.origin, fonts.face(op.run.face)), reach);
    }
    case 'image':
      return op.dest;
    case 'link':
      return null;
    case 'group':
      return groupBounds(op, fonts);
  }
}

/** The pixels of a group after its filters and before its clip, in the group's own coordinates. */
export function filteredBounds({ ops, filters }: GroupOp, fonts: FontSet): Rect | null {
  return grow(opsBounds(ops, fonts), filterReach(filters));
}

/** How far filters spread paint, px. */
export function filterReach(filters: readonly Filter[]): number {
  return filters.reduce((sum, filter) => sum + (filter.kind === 'blur' ? BLUR_REACH * filter.sigma : 0), 0);
}

function groupBounds(op: GroupOp, fonts: FontSet): Rect | null {
  const content = filteredBounds(op, fonts);
  const window = op.clip && pathBounds(op.clip.path);
  const shown = op.clip === null ? content : content && window && intersection(content, window);
  return shown && transformRect(op.transform, shown);
}

/** How far a stroke extends from its path, in the path's units. */
export function strokeReach({ width, cap, join, miterLimit }: Stroke): number {
  return (width / 2) * Math.max(join === 'miter' ? miterLimit : 1, cap === 'square' ? Math.SQRT2 : 1);
}

function grow(bounds: Rect | null, by: number): Rect | null {
  return bounds && inflate(bounds, by);
}

function runBounds(run: GlyphRun, origin: Point, face: FontFace): Rect | null {
  const scale = run.fontSize / face.unitsPerEm;
  const boundsOf = glyphBounds(face);
  let bounds: Rect | null = null;
  for (const glyph of run.glyphs) {
    const outline = boundsOf(glyph.id);
    if (!outline) continue;
    const { x, y, width, height } = outline;
    const lean = Math.abs(run.slant) * Math.max(Math.abs(y), Math.abs(y + height));
    bounds = union(bounds, {
      x: origin.x + glyph.x + (x - lean) * scale,
      y: origin.y + glyph.y - (y + height) * scale,
      width: (width + 2 * lean) * scale,
      height: height * scale,
    });
  }
  return bounds;
}

type BoundsOf = (glyph: number) => Rect | null;

const outlineBounds = new WeakMap<FontFace, BoundsOf>();

/**
 * The bounds of a face's glyphs by their outlines, in font units, y up; null = empty. Cached for as long as the face
 * lives.
 */
export function glyphBounds(face: FontFace): BoundsOf {
  const known = outlineBounds.get(face);
  if (known) return known;
  const measured = new Map<number, Rect | null>();
  const boundsOf: BoundsOf = (glyph) => {
    let bounds = measured.get(glyph);
    if (bounds === undefined) {
      bounds = pathBounds(face.outline(glyph));
      measured.set(glyph, bounds);
    }
    return bounds;
  };
  outlineBounds.set(face, boundsOf);
  return boundsOf;
}
