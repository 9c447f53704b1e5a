// Paints glyph runs: from cached masks when the letters are upright, otherwise from their outlines.

import {
  inflate,
  intersection,
  type Matrix,
  multiply,
  type Rect,
  rectContains,
  roundOut,
  transformRect,
  translation,
  union,
} from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { Stroke } from '#core/paint/display-list.ts';
import { pathBounds } from '#core/path.ts';
import { runToEnd } from '#core/steps.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { FontSet } from '#core/text/font-set.ts';
import type { Glyph, GlyphRun } from '#core/text/glyph-run.ts';
import { resourceCache } from '../resource-cache.ts';
import { BASELINES, type GlyphMask, letterPath, letterScale, type MaskSheets, PHASES } from './glyph-masks.ts';
import { type GlyphsOp, groupStarts, type Letter, placeLetters, snapped, uprightScale } from './letters.ts';
import { paintBrush, premultiplied } from './paint-brush.ts';
import { addressIn, type PaintMemory, type Surface, touchedBy } from './paint-memory.ts';
import { strokedArea, strokeOutline } from './stroke-outline.ts';

export interface LetterOptions {
  readonly fonts: FontSet;
  /** Whether the origins of upright letters are rounded to quarters of a pixel, so that their masks can be cached. */
  readonly snapsLetters: boolean;
  readonly sheets: MaskSheets;
}

/** A mask and its position. */
export interface PlacedMask {
  readonly address: number;
  /** Whole device px. */
  readonly area: Rect;
}

interface PlacedRun {
  readonly op: GlyphsOp;
  readonly face: FontFace;
  /** From the run's coordinates to device px. */
  readonly matrix: Matrix;
}

/** Bytes of letter masks that are composited at a time. */
const BATCH_BYTES = 1 << 20;

export function* paintGlyphs(
  memory: PaintMemory,
  surface: Surface,
  op: GlyphsOp,
  matrix: Matrix,
  options: LetterOptions,
): Generator<undefined> {
  const { brush, outline } = op;
  // The outline is painted under the fill, as with CSS `paint-order: stroke`.
  if (outline) {
    const mark = memory.mark();
    const mask = yield* outlineMask(memory, surface.area, { ...op, brush: null }, matrix, options);
    if (mask) paintBrush(memory, surface, mask.area, outline.brush, matrix, mask.address);
    memory.release(mark);
  }
  if (!brush) return;
  const letters = brush.kind === 'solid' ? lettersOf(memory, op, matrix, options) : null;
  if (letters && brush.kind === 'solid') {
    const run = { op, face: options.fonts.face(op.run.face), matrix };
    yield* layLetters(memory, surface, run, letters, premultiplied(brush.color));
    return;
  }
  const mask = yield* fillMask(memory, surface.area, op, matrix, options);
  if (mask) paintBrush(memory, surface, mask.area, brush, matrix, mask.address);
}

/** The coverage of an area by a run's fill, or by its outline when it has no fill; null when there is none. */
export function* glyphsMask(
  memory: PaintMemory,
  area: Rect,
  op: GlyphsOp,
  matrix: Matrix,
  options: LetterOptions,
): Generator<undefined, PlacedMask | null> {
  return op.brush
    ? yield* fillMask(memory, area, op, matrix, options)
    : yield* outlineMask(memory, area, op, matrix, options);
}

function lettersOf(memory: PaintMemory, op: GlyphsOp, matrix: Matrix, options: LetterOptions) {
  const { fonts, snapsLetters, sheets } = options;
  return snapsLetters ? placeLetters(op, fonts.face(op.run.face), matrix, memory, sheets) : null;
}

function* fillMask(
  memory: PaintMemory,
  area: Rect,
  op: GlyphsOp,
  matrix: Matrix,
  options: LetterOptions,
): Generator<undefined, PlacedMask | null> {
  const letters = lettersOf(memory, op, matrix, options);
  if (!letters) return yield* shapesMask(memory, area, { ...op, outline: null }, matrix, null, options);
  const touched = letters.reduce<Rect | null>(union, null);
  const seen = touched && intersection(touched, area);
  return (
    seen && {
      address: lettersMask(memory, { op, face: options.fonts.face(op.run.face), matrix }, letters, seen),
      area: seen,
    }
  );
}

function* outlineMask(
  memory: PaintMemory,
  area: Rect,
  op: GlyphsOp,
  matrix: Matrix,
  options: LetterOptions,
): Generator<undefined, PlacedMask | null> {
  return op.outline ? yield* shapesMask(memory, area, op, matrix, op.outline.stroke, options) : null;
}

/** Covers letters as outlines, filled or stroked, one after the other. */
function* shapesMask(
  memory: PaintMemory,
  area: Rect,
  op: GlyphsOp,
  matrix: Matrix,
  stroke: Stroke | null,
  { fonts, snapsLetters }: LetterOptions,
): Generator<undefined, PlacedMask | null> {
  const bounds = opBounds(op, fonts);
  const seen = bounds && intersection(inflate(roundOut(transformRect(matrix, bounds)), 1), area);
  if (!seen) return null;
  const mask = memory.takeMask(seen);
  const { run } = op;
  const face = fonts.face(run.face);
  let isOverlapping = false;
  for (const glyph of run.glyphs) {
    const path = letterPath(run, face, glyph.id);
    const whole = pathBounds(path);
    const toDevice = letterMatrix(op, glyph, matrix, snapsLetters);
    const touched = stroke
      ? whole && strokedArea(whole, stroke, toDevice, seen)
      : whole && touchedBy(path, toDevice, seen);
    if (!touched) continue;
    const mark = memory.mark();
    const write = stroke
      ? () => memory.writeNumbers(strokeOutline(path, stroke, toDevice, touched).numbers)
      : () => memory.write(path, toDevice);
    const cover = yield* memory.coverInSteps(write, 'nonzero', touched);
    const to = mask + (touched.y - seen.y) * seen.width + touched.x - seen.x;
    const meets = memory.kernels.addMask(to, seen.width, cover, touched.width, touched.width, touched.height);
    isOverlapping ||= meets !== 0;
    memory.release(mark);
    yield;
  }
  const united =
    isOverlapping && !stroke ? unitedMask(memory, { op, face, matrix }, run.glyphs, snapsLetters, seen) : null;
  return { address: united ?? mask, area: seen };
}

/** Covers overlapping letters as one outline; null when it would have too many segments. */
function unitedMask(
  memory: PaintMemory,
  { op, face, matrix }: PlacedRun,
  glyphs: readonly Glyph[],
  snaps: boolean,
  area: Rect,
): number | null {
  const toRun = letterScale(op.run, face);
  const outlines = glyphs.map((glyph) => ({
    path: face.outline(glyph.id),
    matrix: multiply(letterMatrix(op, glyph, matrix, snaps), toRun),
  }));
  if (outlines.reduce((sum, { path }) => sum + path.length, 0) > MOST_SEGMENTS) return null;
  return runToEnd(memory.coverInSteps(() => memory.writeAll(outlines), 'nonzero', area));
}

/** Most segments of overlapping letters that are covered as one outline. */
const MOST_SEGMENTS = 20_000;

/**
 * Combines all letters into one mask. Where two only touch, their coverages are added; if any overlap, their outlines
 * are covered as one.
 */
function lettersMask(
  memory: PaintMemory,
  { op, face, matrix }: PlacedRun,
  letters: readonly Letter[],
  area: Rect,
): number {
  const { address, isOverlapping } = addLetters(memory, letters, area);
  if (!isOverlapping) return address;
  const glyphs = letters.map(({ glyph }) => glyph);
  return unitedMask(memory, { op, face, matrix }, glyphs, true, area) ?? address;
}

/** From a letter's coordinates to device px. */
function letterMatrix({ origin }: GlyphsOp, glyph: Glyph, matrix: Matrix, snaps: boolean): Matrix {
  const [x, y] = [origin.x + glyph.x, origin.y + glyph.y];
  const scale = snaps ? uprightScale(matrix) : null;
  const place = scale === null ? x : (snapped(scale * x + matrix[4]) - matrix[4]) / scale;
  return multiply(matrix, translation(place, y));
}

function* layLetters(
  memory: PaintMemory,
  surface: Surface,
  run: PlacedRun,
  letters: readonly Letter[],
  color: number,
): Generator<undefined> {
  const starts = groupStarts(letters);
  const mark = memory.mark();
  let list: number[] = [];
  const flush = () => {
    const at = memory.take(4 * list.length);
    memory.words.set(list, at / 4);
    memory.kernels.layMasks(at, list.length / 5, surface.stride, color);
    memory.release(mark);
    list = [];
  };
  for (let i = 0; i < starts.length; i++) {
    const from = starts[i] ?? 0;
    const to = starts[i + 1] ?? letters.length;
    const only = letters[from];
    if (!only) break;
    const group = to - from === 1 ? null : letters.slice(from, to);
    const whole = group ? (group.reduce<Rect | null>(union, null) ?? only) : only;
    const seen = rectContains(surface.area, whole) ? whole : intersection(whole, surface.area);
    if (!seen) continue;
    const one = group ? joinedLetters(memory, run, group) : only;
    let mask: number;
    let pitch: number;
    if (one) {
      const alphas = memory.take(one.alphas.length);
      memory.bytes.set(one.alphas, alphas);
      pitch = one.width;
      mask = alphas + (seen.y - one.y) * pitch + seen.x - one.x;
    } else {
      mask = lettersMask(memory, run, group ?? [only], seen);
      pitch = seen.width;
    }
    list.push(addressIn(surface, seen), mask, pitch, seen.width, seen.height);
    if (memory.mark() - mark > BATCH_BYTES) {
      flush();
      yield;
    }
  }
  if (list.length > 0) flush();
}

/** The positioned coverage of a group of letters; null when there are too many. */
function joinedLetters(
  memory: PaintMemory,
  { op, face, matrix }: PlacedRun,
  group: readonly Letter[],
): (Rect & { readonly alphas: Uint8Array }) | null {
  const [first] = group;
  const mask = joinedMask(memory, op.run, face, matrix[0], group);
  if (!first || !mask) return null;
  const { x, y, ...rest } = mask;
  return { ...rest, x: Math.floor(first.steps / PHASES) + x, y: Math.floor(first.baseline / BASELINES) + y };
}

// Makes one mask of letters that touch, as joined Arabic letters do along a line, and keeps it between renders.
//
// Where they overlap they are rasterised as one outline, because the coverage of two letters in a pixel does not
// determine their joint coverage. Elsewhere it is the sum of their masks.

/** Most pixels of one mask, and letters in it: longer words hardly ever recur. */
const MOST_PIXELS = 1 << 16;
const MOST_LETTERS = 24;
/** Approximate bytes of an entry beyond its pixels and key. */
const NOTED = 200;

const kept = resourceCache.of<GlyphMask>('joined letters');

/**
 * The mask of a few letters, in device px relative to the pixel of the first one's origin; null when there are too
 * many or they are too large. It depends only on the letters and their relative positions.
 *
 * @param scale device px per px of the run
 */
function joinedMask(
  memory: PaintMemory,
  run: GlyphRun,
  face: FontFace,
  scale: number,
  letters: readonly Letter[],
): GlyphMask | null {
  const [first] = letters;
  const whole = letters.reduce<Rect | null>(union, null);
  if (!first || !whole || letters.length > MOST_LETTERS || whole.width * whole.height > MOST_PIXELS) return null;
  const x = Math.floor(first.steps / PHASES);
  const y = Math.floor(first.baseline / BASELINES);
  let key = `${run.face} ${run.fontSize * scale} ${run.slant}`;
  for (const { glyph, steps, baseline } of letters) {
    key += ` ${glyph.id},${steps - x * PHASES},${baseline - y * BASELINES}`;
  }
  const known = kept.get(key);
  if (known) return known;

  const united = (area: Rect) => {
    const [a, b, c, d] = letterScale(run, face);
    const outlines = letters.map(({ glyph, steps, baseline }) => ({
      path: face.outline(glyph.id),
      matrix: [a * scale, b * scale, c * scale, d * scale, steps / PHASES - x, baseline / BASELINES - y] as const,
    }));
    return runToEnd(memory.coverInSteps(() => memory.writeAll(outlines), 'nonzero', area));
  };
  const mark = memory.mark();
  const { address, isOverlapping } = addLetters(memory, letters, whole);
  const area = { ...whole, x: whole.x - x, y: whole.y - y };
  const found = isOverlapping ? united(area) : address;
  const mask = { ...area, alphas: memory.bytes.slice(found, found + area.width * area.height) };
  memory.release(mark);
  kept.set(key, mask, NOTED + 2 * key.length + mask.alphas.length);
  return mask;
}

// Adds the masks of letters into one mask, summing their coverage of each pixel.

interface AddedLetters {
  /** The address of the mask, row by row. */
  readonly address: number;
  /** Whether two letters overlap in a pixel: the sum is then more than what they cover together. */
  readonly isOverlapping: boolean;
}

/** @param area whole device px */
function addLetters(memory: PaintMemory, letters: readonly Letter[], area: Rect): AddedLetters {
  const mask = memory.takeMask(area);
  let isOverlapping = false;
  for (const letter of letters) {
    const seen = intersection(letter, area);
    if (!seen) continue;
    const mark = memory.mark();
    const alphas = memory.take(letter.alphas.length);
    memory.bytes.set(letter.alphas, alphas);
    const from = alphas + (seen.y - letter.y) * letter.width + seen.x - letter.x;
    const to = mask + (seen.y - area.y) * area.width + seen.x - area.x;
    const meets = memory.kernels.addMask(to, area.width, from, letter.width, seen.width, seen.height);
    isOverlapping ||= meets !== 0;
    memory.release(mark);
  }
  return { address: mask, isOverlapping };
}
