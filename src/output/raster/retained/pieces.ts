// A placed list in, its operations out as the retained raster sees them: what each looks like, where, and how it is drawn.

import { intersection, type Rect, rectContains, type Size } from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { PathSegment } from '#core/path.ts';
import type { Resources } from '#core/resources.ts';
import type { ImageOp, PlacedImage, PlacedList } from '../place-images.ts';
import { keptExtent } from './extents.ts';
import { opDigest } from './op-digest.ts';

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;
type FillOp = Extract<PaintOp, { kind: 'fill' }>;
type Color = Extract<NonNullable<GlyphsOp['brush']>, { kind: 'solid' }>['color'];

interface Painted {
  readonly op: PaintOp;
  readonly digest: string;
  /** All pixels that it can touch, whole device px, within the canvas. */
  readonly area: Rect;
  /** False where the canvas cuts something off. */
  readonly isWhole: boolean;
  /** True when its edges fade out, so that `area` is larger than what can be seen until it was drawn once. */
  readonly isBlurred: boolean;
}

/** Letters in one colour, drawn from kept masks. */
export interface Letters extends Painted {
  readonly kind: 'letters';
  readonly op: GlyphsOp;
  readonly color: Color;
}

/** A picture that lies on the pixel grid. */
export interface Picture extends Painted {
  readonly kind: 'picture';
  readonly op: ImageOp;
  readonly shown: PlacedImage;
  /** Whole device px; may reach beyond the canvas. */
  readonly place: Rect;
}

/** A rectangle of whole pixels in one colour. */
export interface Block extends Painted {
  readonly kind: 'block';
  readonly op: FillOp;
  readonly color: Color;
}

/** An outline filled with one colour, small enough to be covered here. */
export interface Shape extends Painted {
  readonly kind: 'shape';
  readonly op: FillOp;
  readonly color: Color;
}

/** Anything else: the rasteriser's. */
export interface Drawing extends Painted {
  readonly kind: 'drawing';
}

/** Letters larger than this, device px, are drawn as any outline. */
const LARGEST_LETTER = 256;

export type Piece = Letters | Picture | Block | Shape | Drawing;

/** Pixels of a shape that is covered here: some 2 ms. */
const LARGEST_SHAPE = 1_000_000;

/** What touches no pixel is left out. */
export function piecesOf({ list, images }: PlacedList, resources: Resources, scale: number, device: Size): Piece[] {
  const canvas = { x: 0, y: 0, ...device };
  return list.ops.flatMap((op): Piece[] => {
    const bounds = opBounds(op, resources.fonts);
    const whole = bounds && outward(bounds, scale);
    const reach = whole && intersection(whole, canvas);
    if (!reach) return [];
    const digest = opDigest(op, images);
    const isBlurred = op.kind === 'group' && op.filters.some(({ kind }) => kind === 'blur');
    const area = isBlurred ? keptExtent(digest, scale, device) : reach;
    if (area === null) return [];
    const painted = { op, area: area ?? reach, isWhole: rectContains(reach, whole), digest, isBlurred };
    if (op.kind === 'glyphs') return [lettersOf(op, painted, scale)];
    if (op.kind === 'image') return [pictureOf(op, painted, images, scale)];
    if (op.kind === 'fill') return [blockOf(op, painted, scale) ?? shapeOf(op, painted, scale, canvas)];
    return [{ kind: 'drawing', ...painted }];
  });
}

/** Whole pixels around; one more, for a soft edge. */
function outward({ x, y, width, height }: Rect, scale: number): Rect {
  const [left, top] = [Math.floor(x * scale) - 1, Math.floor(y * scale) - 1];
  return {
    x: left,
    y: top,
    width: Math.ceil((x + width) * scale) + 1 - left,
    height: Math.ceil((y + height) * scale) + 1 - top,
  };
}

function lettersOf(op: GlyphsOp, painted: Painted, scale: number): Piece {
  const isSmall = op.run.fontSize * scale <= LARGEST_LETTER;
  // The rasteriser's own antialiasing differs where the canvas cuts an outline off.
  if (!painted.isWhole || !isSmall || op.outline !== null || op.brush?.kind !== 'solid')
    return { kind: 'drawing', ...painted };
  return { kind: 'letters', ...painted, op, color: op.brush.color };
}

function pictureOf(op: ImageOp, painted: Painted, images: PlacedList['images'], scale: number): Piece {
  const shown = images.get(op);
  if (!shown?.isOnGrid) return { kind: 'drawing', ...painted };
  const place = { x: Math.round(op.dest.x * scale), y: Math.round(op.dest.y * scale), ...shown.size };
  return { kind: 'picture', ...painted, op, shown, place };
}

function shapeOf(op: FillOp, painted: Painted, scale: number, canvas: Rect): Shape | Drawing {
  const { brush, path } = op;
  const { width, height } = painted.area;
  // The rasteriser cuts curves anew where so much as a control point lies beyond the canvas.
  const isWithin = painted.isWhole && path.every((segment) => controlsLieWithin(segment, scale, canvas));
  if (brush.kind !== 'solid' || !isWithin || width * height > LARGEST_SHAPE) return { kind: 'drawing', ...painted };
  return { kind: 'shape', ...painted, op, color: brush.color };
}

function controlsLieWithin(segment: PathSegment, scale: number, { width, height }: Rect): boolean {
  for (let i = 1; i < segment.length; i += 2) {
    const [x, y] = [Number(segment[i]) * scale, Number(segment[i + 1]) * scale];
    if (x < 0 || y < 0 || x > width || y > height) return false;
  }
  return true;
}

function blockOf(op: FillOp, painted: Painted, scale: number): Block | null {
  const { brush, path } = op;
  const corners = path.slice(0, 4).map((segment) => segment.slice(1).map((value) => Number(value) * scale));
  const [a, b, c, d] = corners;
  const isRect =
    brush.kind === 'solid' &&
    path.length === 5 &&
    path.every(([command], i) => command === 'MLLLZ'[i]) &&
    corners.flat().every(Number.isInteger) &&
    a?.[1] === b?.[1] &&
    b?.[0] === c?.[0] &&
    c?.[1] === d?.[1] &&
    d?.[0] === a?.[0];
  if (!isRect || brush.kind !== 'solid') return null;
  const [x = 0, y = 0] = a ?? [];
  const [right = 0, bottom = 0] = c ?? [];
  const block = intersection({ x, y, width: right - x, height: bottom - y }, painted.area);
  // A path that runs backwards has no positive size here, and is the rasteriser's.
  return block && { kind: 'block', ...painted, op, color: brush.color, area: block };
}
