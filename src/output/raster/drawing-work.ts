// How long a rasteriser's thread will be busy with a list, told before it is handed anything.
//
// Few bytes can ask for much: a thousand letters on one another, of a font whose outlines are zigzags, held a thread for
// over a minute. What is told is not meant to be exact: it is what was measured of resvg at its slowest, op by op.

import {
  IDENTITY,
  inflate,
  intersection,
  isIdentity,
  type Matrix,
  multiply,
  type Rect,
  rectContains,
  type Size,
  transformRect,
} from '#core/geometry.ts';
import { filteredBounds, filterReach, opBounds } from '#core/paint/bounds.ts';
import type { Brush, Filter, GroupOp, PaintOp, Stroke } from '#core/paint/display-list.ts';
import type { FontSet } from '#core/text/font-set.ts';
import { lettersExtent, type OutlineExtent, pathExtent, stretch } from './outline-extent.ts';
import { roomFor } from './retained/drawings.ts';
import { LARGEST_LETTER, touched } from './retained/pieces.ts';

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** What a list asks for. */
export interface DrawingWork {
  /** Of the rasteriser, for all of it in one piece, ms. */
  readonly time: number;
  /** The same where letters are put together from kept masks, ms. */
  readonly timeWithMasks: number;
  /** Of all outlines, letter by letter. */
  readonly segments: number;
  /** What outlines rise and fall in all, px: the rasteriser goes along each edge, row by row. */
  readonly climb: number;
  /** Pixels of all that has a raster of its own before it is put together. */
  readonly pixels: number;
}

// ---- ns

const SEGMENT = 1_500;
const STROKED_SEGMENT = 15_000;
/** Edges that a stroke has for one of its outline's. */
const STROKED_EDGES = 3;
/** More than it takes, for each takes 2 kB as well. */
const DASH = 40_000;
/** Per px that an edge rises or falls. */
const CLIMB = 750;
/** Of two segments that meet: their edges change places from one row to the next. */
const CROSSING = 8;
/** Per px that an edge of a letter rises or falls which is covered here: once for all alike, and in no order. */
const COVERED_CLIMB = 100;
const COVERED_SEGMENT = 50;
/** Per pixel. */
const PAINT: Readonly<Record<Brush['kind'] | 'image', number>> = {
  solid: 5,
  linear: 16,
  radial: 16,
  conic: 170,
  image: 20,
};
const LAYER = 12;
const BLENDING = 12;
const CLIPPING = 8;
const RECOLORING = 40;
const BLUR = 110;
/** Smaller blurs are drawn by another method. */
const SMALL_SIGMA = 2;
const SMALL_BLUR = 320;

/** The rasteriser draws nothing that has more. */
const MOST_DASHES = 1_000_000;
/** How many letters may lie on one another, by their boxes, as in no line of text. */
const MOST_DEPTH = 16;

/** Of operations that come again in a later list: what they asked for on a canvas of that size. */
const known = new WeakMap<PaintOp, { readonly canvas: Size; readonly work: DrawingWork }>();

/** @param ops in device px */
export function workOf(ops: readonly PaintOp[], canvas: Size, fonts: FontSet): DrawingWork {
  let [time, timeWithMasks, segments, climb, pixels] = [0, 0, 0, 0, 0];
  for (const op of ops) {
    const work = workOfOp(op, canvas, fonts);
    time += work.time;
    timeWithMasks += work.timeWithMasks;
    segments += work.segments;
    climb += work.climb;
    pixels += work.pixels;
  }
  return { time, timeWithMasks, segments, climb, pixels };
}

function workOfOp(op: PaintOp, canvas: Size, fonts: FontSet): DrawingWork {
  const before = known.get(op);
  if (before?.canvas.width === canvas.width && before.canvas.height === canvas.height) return before.work;
  const sum = new WorkSum(canvas, fonts);
  sum.add(op, IDENTITY, true);
  const { time, spared, segments, climb } = sum;
  const pixels = op.kind === 'glyphs' ? 0 : rasterOf(op, canvas, fonts);
  const work = { time: time / 1e6, timeWithMasks: (time - spared) / 1e6, segments, climb, pixels };
  // Letters mostly come but once, and are told soon.
  if (op.kind !== 'glyphs') known.set(op, { canvas: { width: canvas.width, height: canvas.height }, work });
  return work;
}

/** Pixels of the raster that it has of its own, as retained/drawings.ts makes it. */
function rasterOf(op: PaintOp, canvas: Size, fonts: FontSet): number {
  const bounds = opBounds(op, fonts);
  const whole = bounds && touched(bounds);
  const area = whole && intersection(whole, { x: 0, y: 0, width: canvas.width, height: canvas.height });
  if (!area) return 0;
  const isPlain = op.kind === 'image' || (op.kind === 'fill' && op.brush.kind === 'solid');
  const { width, height } = isPlain ? area : roomFor({ op, area, isWhole: rectContains(area, whole) }, canvas, fonts);
  return width * height;
}

class WorkSum {
  readonly #canvas: Rect;
  readonly #fonts: FontSet;
  /** ns */
  time = 0;
  /** What of it is not spent where letters come from masks. */
  spared = 0;
  segments = 0;
  climb = 0;

  constructor({ width, height }: Size, fonts: FontSet) {
    this.#canvas = { x: 0, y: 0, width, height };
    this.#fonts = fonts;
  }

  /**
   * @param toDevice from the operation's coordinates
   * @param canMask whether letters that stand here may come from masks
   */
  add(op: PaintOp, toDevice: Matrix, canMask: boolean): void {
    switch (op.kind) {
      case 'fill':
        this.#fill(pathExtent(op.path, toDevice, this.#canvas.height));
        this.time += this.shown(op, toDevice) * PAINT[op.brush.kind];
        break;
      case 'stroke':
        this.#stroke(
          pathExtent(op.path, toDevice, this.#canvas.height, op.stroke.width / 2),
          op.stroke,
          stretch(toDevice),
        );
        this.time += this.shown(op, toDevice) * PAINT[op.brush.kind];
        break;
      case 'glyphs':
        this.#glyphs(op, toDevice, canMask);
        break;
      case 'image':
        this.time += this.shown(op, toDevice) * PAINT.image;
        break;
      case 'group':
        this.#group(op, multiply(toDevice, op.transform), canMask);
    }
  }

  /** Pixels of the canvas that it may touch. */
  shown(op: PaintOp, toDevice: Matrix): number {
    const bounds = opBounds(op, this.#fonts);
    return bounds ? pixelsIn(intersection(transformRect(toDevice, bounds), this.#canvas)) : 0;
  }

  #fill({ segments, climb, meetings }: OutlineExtent): void {
    this.segments += segments;
    this.climb += climb;
    this.time += segments * SEGMENT + climb * CLIMB + meetings * CROSSING;
  }

  /** Along both sides, and around each end and corner. */
  #stroke({ segments, climb, length, meetings }: OutlineExtent, { width, dash }: Stroke, scale: number): void {
    const period = scale * dash.reduce((sum, part) => sum + part, 0);
    const dashes = period > 0 ? Math.min(((length / period) * dash.length) / 2, MOST_DASHES) : 0;
    const corners = segments + dashes;
    const around = 2 * climb + corners * 4 * Math.min(scale * width, this.#canvas.height);
    this.segments += segments;
    this.climb += around;
    this.time += segments * STROKED_SEGMENT + dashes * DASH + around * CLIMB;
    this.time += STROKED_EDGES ** 2 * CROSSING * (meetings + dashes ** 2);
  }

  #glyphs({ run, origin, brush, outline }: GlyphsOp, toDevice: Matrix, canMask: boolean): void {
    if (brush === null && outline === null) return;
    const reach = outline ? outline.stroke.width / 2 : 0;
    const extent = lettersExtent(run, origin, this.#fonts.face(run.face), toDevice, this.#canvas.height, reach);
    if (extent === null) return;
    const { segments, climb, depth, area } = extent;
    const before = this.time;
    if (brush) this.#fill(extent);
    if (outline) this.#stroke(extent, outline.stroke, stretch(toDevice));
    this.time += Math.min(area, pixelsIn(this.#canvas)) * PAINT[(brush ?? outline?.brush)?.kind ?? 'solid'];
    const isMasked = canMask && outline === null && run.fontSize <= LARGEST_LETTER && depth <= MOST_DEPTH;
    if (!isMasked) return;
    const covered = segments * COVERED_SEGMENT + climb * COVERED_CLIMB;
    this.spared += Math.max(0, this.time - before - covered);
  }

  #group(op: GroupOp, toDevice: Matrix, canMask: boolean): void {
    const { clip, filters, opacity, blend, ops } = op;
    const isLayer = clip !== null || filters.length > 0 || opacity < 1 || blend !== 'normal';
    if (isLayer) this.time += this.#layer(op, toDevice);
    if (clip) this.#fill(pathExtent(clip.path, toDevice, this.#canvas.height));
    const masksWithin = canMask && filters.length === 0 && isIdentity(op.transform);
    for (const inner of ops) this.add(inner, toDevice, masksWithin);
  }

  #layer(op: GroupOp, toDevice: Matrix): number {
    const { clip, filters, blend } = op;
    const bounds = filteredBounds(op, this.#fonts);
    if (!bounds) return 0;
    const scale = stretch(toDevice);
    // What lies beyond the canvas may be carried into it.
    const visible = inflate(this.#canvas, filterReach(filters) * scale);
    const pixels = pixelsIn(intersection(transformRect(toDevice, bounds), visible));
    const perPixel = LAYER + (blend === 'normal' ? 0 : BLENDING) + (clip ? CLIPPING : 0);
    return pixels * filters.reduce((sum, filter) => sum + filterTime(filter, scale), perPixel);
  }
}

/** ns per pixel. */
function filterTime(filter: Filter, scale: number): number {
  if (filter.kind !== 'blur') return RECOLORING;
  return filter.sigma * scale < SMALL_SIGMA ? SMALL_BLUR : BLUR;
}

function pixelsIn(rect: Rect | null): number {
  return rect ? rect.width * rect.height : 0;
}
