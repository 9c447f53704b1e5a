// Outlines in, how far they go out: what a rasteriser's work grows with.

import { IDENTITY, isIdentity, type Matrix, type Point, type Rect } from '#core/geometry.ts';
import { type PathData, pathBounds } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';

/** Device px, by way of curves' control points, which is no less than along the curves. */
export interface OutlineExtent {
  readonly segments: number;
  /** Up and down together, closed where a fill closes it; what lies above or below the canvas does not count. */
  readonly climb: number;
  /** At most. */
  readonly length: number;
}

/** How much larger a matrix makes what it makes largest. */
export function stretch([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d));
}

/** @param height of the canvas; where there is none, all counts */
export function pathExtent(path: PathData, toDevice: Matrix, height: number | null): OutlineExtent {
  const [a, b, c, d, e, f] = toDevice;
  const rowOf = (y: number) => (height === null ? y : Math.min(Math.max(y, 0), height));
  let [climb, length] = [0, 0];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const moveTo = (nextX: number, nextY: number) => {
    climb += Math.abs(rowOf(nextY) - rowOf(y));
    length += Math.abs(nextX - x) + Math.abs(nextY - y);
    [x, y] = [nextX, nextY];
  };
  for (const segment of path) {
    if (segment[0] === 'M' || segment[0] === 'Z') moveTo(startX, startY);
    for (let i = 1; i < segment.length; i += 2) {
      const [px, py] = [Number(segment[i]), Number(segment[i + 1])];
      const [nextX, nextY] = [a * px + c * py + e, b * px + d * py + f];
      if (segment[0] === 'M') [x, y, startX, startY] = [nextX, nextY, nextX, nextY];
      else moveTo(nextX, nextY);
    }
  }
  moveTo(startX, startY);
  return { segments: path.length, climb, length };
}

export interface LettersExtent extends OutlineExtent {
  /** Of all letters, in their own coordinates. */
  readonly box: Rect;
  /** How many times over the letters' boxes would cover it. */
  readonly overlap: number;
}

/** As `pathExtent` of all letters' outlines; null where they have none. */
export function lettersExtent(
  { glyphs, fontSize, slant }: GlyphRun,
  origin: Point,
  face: FontFace,
  toDevice: Matrix,
  height: number,
): LettersExtent | null {
  const px = fontSize / face.unitsPerEm;
  const isUpright = isIdentity(toDevice);
  let [segments, climb, length, boxes] = [0, 0, 0, 0];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const glyph of glyphs) {
    const outline = glyphExtent(face, glyph.id);
    if (outline === null) continue;
    const { box } = outline;
    const lean = Math.abs(slant) * Math.max(Math.abs(box.y), Math.abs(box.y + box.height)) * px;
    const lowest = origin.y + glyph.y - box.y * px;
    const highest = lowest - box.height * px;
    const from = origin.x + glyph.x + box.x * px - lean;
    const to = from + box.width * px + 2 * lean;
    segments += outline.segments;
    length += outline.length * px;
    // What stands above or below an upright canvas has no row there.
    if (!isUpright) climb += outline.length * px;
    else if (lowest > 0 && highest < height) climb += outline.climb * px;
    boxes += (to - from) * (lowest - highest);
    left = Math.min(left, from);
    right = Math.max(right, to);
    top = Math.min(top, highest);
    bottom = Math.max(bottom, lowest);
  }
  if (segments === 0) return null;
  const larger = stretch(toDevice);
  const box = { x: left, y: top, width: right - left, height: bottom - top };
  const overlap = boxes / Math.max(1, box.width * box.height);
  return { segments, climb: isUpright ? climb : climb * larger, length: length * larger, box, overlap };
}

/** Of one glyph, in font units, y up. */
interface GlyphExtent extends OutlineExtent {
  readonly box: Rect;
}

/** A face lives as long as its font, so what its glyphs are is kept beside it. */
const extents = new WeakMap<FontFace, Map<number, GlyphExtent | null>>();

/** Null: there is nothing to be seen. */
function glyphExtent(face: FontFace, glyph: number): GlyphExtent | null {
  let ofFace = extents.get(face);
  if (!ofFace) {
    ofFace = new Map();
    extents.set(face, ofFace);
  }
  let extent = ofFace.get(glyph);
  if (extent === undefined) {
    const outline = face.outline(glyph);
    const box = pathBounds(outline);
    extent = box && { ...pathExtent(outline, IDENTITY, null), box };
    ofFace.set(glyph, extent);
  }
  return extent;
}
