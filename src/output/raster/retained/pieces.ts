// A placed list in, its operations out as the retained raster sees them: what each looks like, where, and how it is drawn.

import type { Color } from '#core/color.ts';
import { inflate, intersection, isIdentity, type Rect, rectContains, roundOut, type Size } from '#core/geometry.ts';
import { opBounds, opsBounds } from '#core/paint/bounds.ts';
import type { Brush, Clip, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { controlBounds, type PathData, pathBounds } from '#core/path.ts';
import type { Resources } from '#core/resources.ts';
import { canCover, canCoverArea } from '../coverage.ts';
import type { ImageOp, PlacedImage, PlacedList } from '../place-images.ts';
import { snapGlyphs } from '../snap-glyphs.ts';
import { keptExtent } from './extents.ts';
import { fillGlance } from './fill-glance.ts';
import { type RectGradient, rectGradient } from './gradient.ts';
import { layerCorner } from './layer-corner.ts';
import { lieWithin } from './letter-masks.ts';
import { type GlyphsOp, type Letter, placeLetters } from './letters.ts';
import { movesExactly, pathMovesExactly } from './moves-exactly.ts';
import { opDigest } from './op-digest.ts';
import { pixelRect } from './pixel-rect.ts';
import { premultiplied } from './surface.ts';

type FillOp = Extract<PaintOp, { kind: 'fill' }>;

interface Painted {
  /** With its letters where they are drawn. */
  readonly op: PaintOp;
  /** Equal for pieces that look alike, and hardly ever for others. */
  readonly glance: () => string | number;
  /** Equal for pieces that look alike, and never for others. */
  readonly digest: () => string;
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
  readonly letters: readonly Letter[];
  /** Premultiplied. */
  readonly color: number;
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
  /** Premultiplied. */
  readonly color: number;
}

/** A rectangle of whole pixels with a gradient. */
export interface Gradient extends Painted {
  readonly kind: 'gradient';
  readonly gradient: RectGradient;
}

/** An outline filled with one colour, small enough to be covered here. */
export interface Shape extends Painted {
  readonly kind: 'shape';
  readonly op: FillOp;
  /** Premultiplied. */
  readonly color: number;
}

/** An outline or letters with a gradient. */
export interface Shaded extends Painted {
  readonly kind: 'shaded';
  /** On a rectangle around them. */
  readonly gradient: RectGradient;
  readonly through: Stencil;
}

/** What covers pixels: in an opaque colour. */
type Stencil = Shape | Letters | Drawing;

/** Pieces that are put together on nothing, clipped, and laid over the rest as one. */
export interface Layer extends Painted {
  readonly kind: 'layer';
  readonly pieces: readonly Piece[];
  readonly clip: Clip | null;
  /** 0..1. */
  readonly opacity: number;
}

/** Anything else: the rasteriser's. */
export interface Drawing extends Painted {
  readonly kind: 'drawing';
}

/** A colour of which what is seen is what covers it. */
const WHITE: Color = { r: 255, g: 255, b: 255, a: 1 };
const OPAQUE = premultiplied(WHITE);

/** Letters larger than this, device px, are drawn as any outline. */
export const LARGEST_LETTER = 256;

export type Piece = Letters | Picture | Block | Gradient | Shape | Shaded | Layer | Drawing;

/** Pixels of a shape that is covered here: some 2 ms. */
const LARGEST_SHAPE = 1_000_000;

/**
 * Of operations that come again in a later list: what they were on a canvas of that size. Most come but once, and what
 * an old map holds, the collector of young objects takes to be needed: so an operation is kept when it is met again.
 */
const known = new WeakMap<PaintOp, { readonly canvas: Rect; readonly piece: Piece | null }>();
const met = new WeakSet<PaintOp>();

/** By operation: what it is, null where it touches no pixel, and letters as they came, yet to be covered. */
export type Sketch = readonly (Piece | GlyphsOp | null)[];

export function sketchPieces({ list, images }: PlacedList, resources: Resources): Sketch {
  const canvas = canvasOf(list);
  return list.ops.map((op) => {
    const before = known.get(op);
    if (before?.canvas.width === canvas.width && before.canvas.height === canvas.height) return before.piece;
    return op.kind === 'glyphs' ? op : pieceOf(op, images, resources, canvas);
  });
}

/** The pieces of a sketch; what touches no pixel is left out. */
export function finishPieces(sketch: Sketch, { list, images }: PlacedList, resources: Resources): Piece[] {
  const canvas = canvasOf(list);
  return sketch
    .map((part) => (part?.kind === 'glyphs' ? pieceOf(part, images, resources, canvas) : part))
    .filter((piece) => piece !== null);
}

const canvasOf = ({ width, height }: Size): Rect => ({ x: 0, y: 0, width, height });

function pieceOf(op: PaintOp, images: PlacedList['images'], resources: Resources, canvas: Rect): Piece | null {
  const settled = (piece: Piece | null) => {
    if (met.has(op)) known.set(op, { canvas, piece });
    else met.add(op);
    return piece;
  };
  const letters = op.kind === 'glyphs' ? lettersOf(op, images, resources, canvas) : null;
  if (letters) return settled(letters);
  const bounds = opBounds(op, resources.fonts);
  const whole = bounds && touched(bounds);
  const reach = whole && intersection(whole, canvas);
  if (!reach) return settled(null);
  const digest = once(() => opDigest(op, images));
  const isBlurred = op.kind === 'group' && op.filters.some(({ kind }) => kind === 'blur');
  const extent = isBlurred ? keptExtent(digest(), canvas) : reach;
  if (extent === null) return settled(null);
  const isWhole = rectContains(reach, whole);
  const painted = { op, area: extent ?? reach, isWhole, glance: glanceOf(op, digest), digest, isBlurred };
  const drawing: Drawing = { kind: 'drawing', ...painted, op: snapGlyphs(op) };
  // How far a blur can be seen is told once it was drawn.
  if (extent === undefined) return drawing;
  if (op.kind === 'fill') {
    const own = blockOf(op, painted) ?? gradientOf(op, painted) ?? shapeOf(op, painted, canvas);
    return settled(own ?? shadedDrawing(op, drawing, images, resources) ?? drawing);
  }
  if (op.kind === 'glyphs' && op.outline === null)
    return settled(shadedDrawing(op, drawing, images, resources) ?? drawing);
  if (op.kind === 'image') return settled(pictureOf(op, painted, images) ?? drawing);
  return settled((op.kind === 'group' ? layerOf(op, painted, images, resources, canvas) : null) ?? drawing);
}

/** @param digest serves where no number is told sooner */
function glanceOf(op: PaintOp, digest: () => string): Painted['glance'] {
  if (op.kind !== 'fill' || op.brush.kind !== 'solid') return digest;
  const { path, rule, brush } = op;
  return once(() => fillGlance(path, rule, brush.color));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The pixels that something may touch; one more around, for a soft edge. */
export function touched(bounds: Rect): Rect {
  return inflate(roundOut(bounds), 1);
}

function lettersOf(
  op: GlyphsOp,
  images: PlacedList['images'],
  { fonts }: Resources,
  canvas: Rect,
): Letters | Shaded | null {
  const { run, outline, brush } = op;
  if (run.fontSize > LARGEST_LETTER || outline !== null || brush === null) return null;
  const face = fonts.face(run.face);
  const { letters, area, glance } = placeLetters(op, face);
  if (letters.length === 0 || !rectContains(canvas, area) || !canCoverArea(area)) return null;
  if (!rectContains(canvas, inflate(area, 1)) && !lieWithin(op, letters, face, canvas)) return null;
  const digest = once(() => opDigest(op, images));
  const color = brush.kind === 'solid' ? premultiplied(brush.color) : OPAQUE;
  const look = glance ^ color;
  const painted = { area, isWhole: true, isBlurred: false, glance: () => look, digest };
  const inColor: Letters = { kind: 'letters', ...painted, op, letters, color };
  return brush.kind === 'solid' ? inColor : shaded(inColor, brush, inColor, () => opBounds(snapGlyphs(op), fonts));
}

/** What shows its part of a gradient; null where that is not drawn here. */
function shaded(
  through: Stencil,
  brush: Brush,
  { op, area, isWhole, isBlurred, digest }: Painted,
  bounds: () => Rect | null,
): Shaded | null {
  const gradient = rectGradient(area, brush, bounds);
  return gradient && { kind: 'shaded', op, area, isWhole, isBlurred, glance: digest, digest, gradient, through };
}

/** With a gradient; the rasteriser only covers it. */
function shadedDrawing(
  op: FillOp | GlyphsOp,
  drawing: Drawing,
  images: PlacedList['images'],
  { fonts }: Resources,
): Shaded | null {
  if (op.brush === null || op.brush.kind === 'solid') return null;
  const stencil = snapGlyphs({ ...op, brush: { kind: 'solid', color: WHITE } });
  const digest = once(() => opDigest(stencil, images));
  const through = { ...drawing, op: stencil, glance: digest, digest };
  return shaded(through, op.brush, drawing, () => opBounds(stencil, fonts));
}

function pictureOf(op: ImageOp, painted: Painted, images: PlacedList['images']): Picture | null {
  const shown = images.get(op);
  if (!shown?.isOnGrid) return null;
  const place = { x: Math.round(op.dest.x), y: Math.round(op.dest.y), ...shown.size };
  return { kind: 'picture', ...painted, op, shown, place };
}

/** Null where the rasteriser rounds something by its place in its own layer, or blurs it. */
function layerOf(
  op: GroupOp,
  painted: Painted,
  images: PlacedList['images'],
  resources: Resources,
  canvas: Rect,
): Layer | null {
  const { clip, opacity } = op;
  if (op.filters.length > 0 || op.blend !== 'normal' || !isIdentity(op.transform)) return null;
  const corner = layerCorner(op, resources.fonts);
  const by = corner && { x: -corner.x, y: -corner.y };
  if (
    !by ||
    !op.ops.every((inner) => inner.kind === 'group' || movesExactly(inner, by)) ||
    (clip && !pathMovesExactly(clip.path, by))
  )
    return null;
  // The rasteriser's own layer is as large as what lies in it, and cuts the clip there.
  const content = clip && opsBounds(op.ops, resources.fonts);
  if (clip && !(content && controlsLieWithin(clip.path, inflate(content, 1)))) return null;
  if (clip && !canCover(clip.path, painted.area)) return null;
  const pieces: Piece[] = [];
  for (const inner of op.ops) {
    const piece = pieceOf(inner, images, resources, canvas);
    if (piece && isRoundedApart(piece)) return null;
    if (piece) pieces.push(piece);
  }
  return { kind: 'layer', ...painted, pieces, clip, opacity };
}

/** Whether it can look otherwise within a group: the rasteriser counts there from the corner of what lies in it. */
function isRoundedApart(piece: Piece): boolean {
  if (piece.kind === 'shaded') return piece.gradient.isSteep || isRoundedApart(piece.through);
  return piece.kind === 'drawing' || (piece.kind === 'gradient' && piece.gradient.isSteep);
}

function shapeOf(op: FillOp, painted: Painted, canvas: Rect): Shape | Shaded | null {
  const { brush, path } = op;
  const { width, height } = painted.area;
  // The rasteriser cuts curves anew where so much as a control point lies beyond the canvas.
  const isWithin = painted.isWhole && controlsLieWithin(path, canvas);
  if (!isWithin || width * height > LARGEST_SHAPE || !canCover(path, painted.area)) return null;
  if (brush.kind === 'solid') return { kind: 'shape', ...painted, op, color: premultiplied(brush.color) };
  return shaded({ kind: 'shape', ...painted, op, color: OPAQUE }, brush, painted, () => pathBounds(path));
}

function controlsLieWithin(path: PathData, area: Rect): boolean {
  const bounds = controlBounds(path);
  return bounds !== null && rectContains(area, bounds);
}

function blockOf(op: FillOp, painted: Painted): Block | null {
  const { brush, path } = op;
  if (brush.kind !== 'solid') return null;
  const rect = pixelRect(path);
  const block = rect && intersection(rect, painted.area);
  return block && { kind: 'block', ...painted, op, color: premultiplied(brush.color), area: block };
}

function gradientOf({ path, brush }: FillOp, painted: Painted): Gradient | null {
  if (brush.kind === 'solid') return null;
  const whole = pixelRect(path);
  const rect = whole && intersection(whole, painted.area);
  const gradient = rect && rectGradient(rect, brush, () => whole);
  return gradient && { kind: 'gradient', ...painted, gradient, area: rect };
}
