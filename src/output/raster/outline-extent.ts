// Outlines in, how far they go out: what a rasteriser's work grows with.

import { IDENTITY, inflate, isIdentity, type Matrix, type Point, type Rect, union } from '#core/geometry.ts';
import { type PathData, pathBounds } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { Columns } from './columns.ts';

/** Device px, by way of curves' control points, which is no less than along the curves. */
export interface OutlineExtent {
  readonly segments: number;
  /** Up and down together, closed where a fill closes it; what lies above or below the canvas does not count. */
  readonly climb: number;
  /** At most. */
  readonly length: number;
  /** Segments that may meet others, by how many each may: at most the square of their number. */
  readonly meetings: number;
}

/** Segments, or letters' segments, that may as well all meet: what that takes is nothing. */
const FEW = 2_000;
/** Columns in which outlines are told to be far from each other. */
const MOST_COLUMNS = 1024;

/** How much larger a matrix makes what it makes largest. */
export function stretch([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d));
}

/**
 * @param height of the canvas; where there is none, all counts
 * @param reach how far from the outline it is drawn, in its own coordinates
 */
export function pathExtent(path: PathData, toDevice: Matrix, height: number | null, reach = 0): OutlineExtent {
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
  return { segments: path.length, climb, length, meetings: meetingsIn(path, reach) };
}

function meetingsIn(path: PathData, reach: number): number {
  const bounds = path.length > FEW ? pathBounds(path) : null;
  if (!bounds) return path.length ** 2;
  const columns = Columns.across(bounds, MOST_COLUMNS);
  let pen: Point = { x: 0, y: 0 };
  let start = pen;
  for (const segment of path) {
    let [left, right, top, bottom] = [pen.x, pen.x, pen.y, pen.y];
    const points = segment[0] === 'Z' ? [start.x, start.y] : segment.slice(1).map(Number);
    for (let i = 0; i < points.length; i += 2) {
      pen = { x: points[i] ?? 0, y: points[i + 1] ?? 0 };
      left = Math.min(left, pen.x);
      right = Math.max(right, pen.x);
      top = Math.min(top, pen.y);
      bottom = Math.max(bottom, pen.y);
    }
    if (segment[0] === 'M') start = pen;
    else columns.add(inflate({ x: left, y: top, width: right - left, height: bottom - top }, reach), 1);
  }
  return columns.squares;
}

export interface LettersExtent extends OutlineExtent {
  /** Pixels of the letters' boxes together. */
  readonly area: number;
  /** How many letters may lie on one another. */
  readonly depth: number;
}

/** As `pathExtent` of all letters' outlines; null where they have none. */
export function lettersExtent(
  run: GlyphRun,
  origin: Point,
  face: FontFace,
  toDevice: Matrix,
  height: number,
  reach = 0,
): LettersExtent | null {
  const px = run.fontSize / face.unitsPerEm;
  const larger = stretch(toDevice);
  const isUpright = isIdentity(toDevice);
  const ofFace = extentsOf(face);
  let [letters, segments, climb, length, area] = [0, 0, 0, 0, 0];
  for (const glyph of run.glyphs) {
    const outline = found(face, ofFace, glyph.id);
    if (outline === null) continue;
    const { box } = outline;
    letters += 1;
    segments += outline.segments;
    length += outline.length;
    area += box.width * box.height;
    if (!isUpright) climb += outline.length;
    else {
      // What stands above or below the canvas has no row there.
      const lowest = origin.y + glyph.y - box.y * px;
      if (lowest > 0 && lowest - box.height * px < height) climb += outline.climb;
    }
  }
  if (letters === 0) return null;
  const scale = px * larger;
  const sizes = { segments, climb: climb * scale, length: length * scale, area: area * scale ** 2 };
  if (segments <= FEW) return { ...sizes, meetings: segments ** 2, depth: letters };
  const boxes = run.glyphs.flatMap((glyph) => {
    const outline = ofFace.get(glyph.id);
    return outline ? [{ box: inflate(letterBox(outline.box, run, px, origin, glyph), reach), outline }] : [];
  });
  return { ...sizes, ...crowding(boxes) };
}

function crowding(
  letters: readonly { readonly box: Rect; readonly outline: OutlineExtent }[],
): Pick<LettersExtent, 'meetings' | 'depth'> {
  const area = letters.reduce<Rect | null>((all, { box }) => union(all, box), null);
  if (!area) return { meetings: 0, depth: 0 };
  const count = Math.min(MOST_COLUMNS, letters.length);
  const [segments, boxes] = [Columns.across(area, count), Columns.across(area, count)];
  for (const { box, outline } of letters) {
    segments.add(box, outline.segments);
    boxes.add(box, 1);
  }
  return { meetings: segments.squares, depth: boxes.most };
}

/** Where a letter stands. */
function letterBox({ x, y, width, height }: Rect, { slant }: GlyphRun, px: number, origin: Point, glyph: Point): Rect {
  const lean = Math.abs(slant) * Math.max(Math.abs(y), Math.abs(y + height)) * px;
  return {
    x: origin.x + glyph.x + x * px - lean,
    y: origin.y + glyph.y - (y + height) * px,
    width: width * px + 2 * lean,
    height: height * px,
  };
}

/** Of one glyph, in font units, y up. */
interface GlyphExtent extends OutlineExtent {
  readonly box: Rect;
}

/** Null: there is nothing to be seen. */
type GlyphExtents = Map<number, GlyphExtent | null>;

/** A face lives as long as its font, so what its glyphs are is kept beside it. */
const extents = new WeakMap<FontFace, GlyphExtents>();

function extentsOf(face: FontFace): GlyphExtents {
  let ofFace = extents.get(face);
  if (!ofFace) {
    ofFace = new Map();
    extents.set(face, ofFace);
  }
  return ofFace;
}

function found(face: FontFace, ofFace: GlyphExtents, glyph: number): GlyphExtent | null {
  let extent = ofFace.get(glyph);
  if (extent === undefined) {
    const outline = face.outline(glyph);
    const box = pathBounds(outline);
    extent = box && { ...pathExtent(outline, IDENTITY, null), box };
    ofFace.set(glyph, extent);
  }
  return extent;
}
