// A run of upright letters in, the coverage of its pixels out, put together from masks that are kept.
//
// Letters of one run that do not overlap share pixels at most along their edges, where coverages add up to what the
// rasteriser would find for all of them as one outline. Letters that overlap are told apart by sums that no outline
// can have, and left to it.

import { intersection, type Rect, union } from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { runPathString } from '#core/svg/run-path.ts';
import type { FontSet } from '#core/text/font-set.ts';
import type { Glyph, GlyphRun } from '#core/text/glyph-run.ts';
import { keptMemory } from '../../kept-memory.ts';
import { drawSvgText } from '../draw-svg-text.ts';
import { PHASES } from '../snap-glyphs.ts';
import { packSheets, type Sheet } from './sheet.ts';

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

/** Draws the masks that the runs need and nobody has kept. */
export async function prepareMasks(ops: readonly GlyphsOp[], scale: number, fonts: FontSet): Promise<MaskSet> {
  const found = new Map<string, Mask | null>();
  const missing = new Map<string, Place>();
  for (const op of ops) {
    for (const place of places(op, scale)) {
      if (found.has(place.key) || missing.has(place.key)) continue;
      const mask = masks.get(place.key);
      if (mask === undefined) missing.set(place.key, place);
      else found.set(place.key, mask);
    }
  }
  if (missing.size > 0) await drawMissing([...missing.values()], scale, fonts, found);
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

/** Many letters in few drawings. */
async function drawMissing(missing: readonly Place[], scale: number, fonts: FontSet, found: MaskSet): Promise<void> {
  const cells: Cell[] = [];
  for (const place of missing) {
    const area = maskArea(place, scale, fonts);
    if (area) {
      cells.push({ place, ...area });
    } else {
      found.set(place.key, null);
      masks.set(place.key, null, 0);
    }
  }
  await Promise.all(packSheets(cells).map((sheet) => drawSheet(sheet, scale, fonts, found)));
}

interface Cell extends Rect {
  readonly place: Place;
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

async function drawSheet(
  { width, height, cells }: Sheet<Cell>,
  scale: number,
  fonts: FontSet,
  found: MaskSet,
): Promise<void> {
  const letters = cells.map(({ x, y, item: { place, ...area } }) => {
    const outline = runPathString(alone(place), { x: 0, y: 0 }, fonts.face(place.run.face));
    const [left, top] = [x - area.x + place.phaseX, y - area.y + place.phaseY];
    return `<path transform="matrix(${scale} 0 0 ${scale} ${left} ${top})" d="${outline}"/>`;
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="#fff">`;
  const { pixels } = await drawSvgText(`${head}${letters.join('')}</svg>`, { width, height });
  for (const { x, y, item } of cells) {
    const alphas = new Uint8Array(item.width * item.height);
    for (let row = 0, at = 0; row < item.height; row++) {
      let from = 4 * ((y + row) * width + x) + 3;
      for (let column = 0; column < item.width; column++, at++, from += 4) alphas[at] = pixels[from] ?? 0;
    }
    const { place, ...area } = item;
    const mask = { ...area, alphas };
    found.set(place.key, mask);
    masks.set(place.key, mask, alphas.length);
  }
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
