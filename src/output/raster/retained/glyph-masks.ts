// A run of upright letters in, the coverage of its pixels out, put together from masks that are kept.
//
// Letters of one run that do not overlap share pixels at most along their edges, where coverages add up to what the
// rasteriser would find for all of them as one outline. Letters that overlap are told apart by sums that no outline
// can have, and left to it.

import { intersection, type Rect, union } from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { PathData, PathSegment } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { FontSet } from '#core/text/font-set.ts';
import type { Glyph, GlyphRun } from '#core/text/glyph-run.ts';
import { keptMemory } from '../../kept-memory.ts';
import { coverPath } from '../coverage.ts';
import { PHASES } from '../snap-glyphs.ts';

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** Alphas of a letter; `x` and `y` from the pixel that its origin lies in. */
interface Mask extends Rect {
  readonly alphas: Uint8Array;
}

/** A letter of a run, and where on the device the pixel of its origin lies. */
interface Place {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  /** Where in that pixel the origin lies, 0 to 1. */
  readonly phaseX: number;
  readonly phaseY: number;
  readonly run: GlyphRun;
  readonly glyph: Glyph;
}

export interface Coverage extends Rect {
  readonly alphas: Uint8Array;
}

/** Baselines that are told apart within a pixel; the SVG of a list has no finer numbers. */
const BASELINES = 1000;
/** Letters larger than this, device px, are drawn as any outline. */
export const LARGEST_LETTER = 256;
/** A sum of edges beyond this is an overlap; below, the rounding of the masks. */
const MOST_COVERAGE = 260;

const masks = keptMemory.of<Mask | null>('glyph masks');

/** Makes the masks that the runs need and nobody has kept. */
export function prepareMasks(ops: readonly GlyphsOp[], scale: number, fonts: FontSet): MaskSet {
  const found = new Map<string, Mask | null>();
  for (const op of ops) {
    for (const place of places(op, scale)) {
      if (found.has(place.key)) continue;
      let mask = masks.get(place.key);
      if (mask === undefined) {
        mask = drawMask(place, scale, fonts);
        masks.set(place.key, mask, mask?.alphas.length ?? 0);
      }
      found.set(place.key, mask);
    }
  }
  return found;
}

/** Masks by key; held by a render, so that the memory may forget them meanwhile. */
export type MaskSet = Map<string, Mask | null>;

function places({ run, origin }: GlyphsOp, scale: number): Place[] {
  const look = `${run.face} ${run.fontSize * scale} ${run.slant}`;
  return run.glyphs.map((glyph) => {
    const steps = Math.round((origin.x + glyph.x) * scale * PHASES);
    const x = Math.floor(steps / PHASES);
    const baseline = Math.round((origin.y + glyph.y) * scale * BASELINES) / BASELINES;
    const y = Math.floor(baseline);
    const [phaseX, phaseY] = [steps / PHASES - x, baseline - y];
    return { key: `${look} ${glyph.id} ${phaseX} ${phaseY}`, x, y, phaseX, phaseY, run, glyph };
  });
}

function drawMask(place: Place, scale: number, fonts: FontSet): Mask | null {
  const area = maskArea(place, scale, fonts);
  if (!area) return null;
  const path = outlineAt(place, fonts.face(place.run.face));
  return {
    ...area,
    alphas: coverPath(path, 'nonzero', { x: place.phaseX / scale, y: place.phaseY / scale, scale }, area),
  };
}

function alone({ run, glyph }: Place): GlyphRun {
  return { ...run, glyphs: [{ ...glyph, x: 0, y: 0 }] };
}

/** The pixels that a letter can touch, from the one of its origin. */
function maskArea(place: Place, scale: number, fonts: FontSet): Rect | null {
  const brush = { kind: 'solid', color: { r: 255, g: 255, b: 255, a: 1 } } as const;
  const bounds = opBounds({ kind: 'glyphs', run: alone(place), origin: { x: 0, y: 0 }, brush, outline: null }, fonts);
  if (!bounds || bounds.width * bounds.height === 0) return null;
  const x = Math.floor(bounds.x * scale + place.phaseX) - 1;
  const y = Math.floor(bounds.y * scale + place.phaseY) - 1;
  const right = Math.ceil((bounds.x + bounds.width) * scale + place.phaseX) + 1;
  const bottom = Math.ceil((bounds.y + bounds.height) * scale + place.phaseY) + 1;
  return { x, y, width: right - x, height: bottom - y };
}

/** A letter's outline about its own origin, canvas px. */
function outlineAt({ run, glyph }: Place, face: FontFace): PathData {
  const scale = run.fontSize / face.unitsPerEm;
  const x = (px: number, py: number) => (px + run.slant * py) * scale;
  const y = (py: number) => -py * scale;
  return face.outline(glyph.id).map((segment): PathSegment => {
    if (segment[0] === 'Z') return segment;
    if (segment[0] !== 'C') return [segment[0], x(segment[1], segment[2]), y(segment[2])];
    const [, x1, y1, x2, y2, x3, y3] = segment;
    return ['C', x(x1, y1), y(y1), x(x2, y2), y(y2), x(x3, y3), y(y3)];
  });
}

/**
 * The coverage of a run's pixels within `canvas`; null where letters overlap.
 *
 * @param found what `prepareMasks` found for it
 */
export function runCoverage(op: GlyphsOp, scale: number, found: MaskSet, canvas: Rect): Coverage | null {
  const letters: (Mask & { left: number; top: number })[] = [];
  let bounds: Rect | null = null;
  for (const { key, x, y } of places(op, scale)) {
    const mask = found.get(key);
    if (!mask) continue;
    const letter = { ...mask, left: x + mask.x, top: y + mask.y };
    letters.push(letter);
    bounds = union(bounds, { x: letter.left, y: letter.top, width: mask.width, height: mask.height });
  }
  const area = bounds && intersection(bounds, canvas);
  if (!area) return { x: 0, y: 0, width: 0, height: 0, alphas: new Uint8Array(0) };

  const alphas = new Uint8Array(area.width * area.height);
  for (const { left, top, width, height, alphas: own } of letters) {
    const [fromX, toX] = [Math.max(left, area.x), Math.min(left + width, area.x + area.width)];
    const [fromY, toY] = [Math.max(top, area.y), Math.min(top + height, area.y + area.height)];
    for (let y = fromY; y < toY; y++) {
      let at = (y - area.y) * area.width + (fromX - area.x);
      let from = (y - top) * width + (fromX - left);
      for (let x = fromX; x < toX; x++, at++, from++) {
        const added = own[from] ?? 0;
        if (added === 0) continue;
        const sum = (alphas[at] ?? 0) + added;
        if (sum > MOST_COVERAGE) return null;
        alphas[at] = Math.min(sum, 255);
      }
    }
  }
  return { ...area, alphas };
}
