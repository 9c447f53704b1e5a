// A run of upright letters in, the coverage of its pixels out, put together from masks that are kept.
//
// Letters of one run that do not overlap share pixels at most along their edges, where coverages add up to what the
// rasteriser would find for all of them as one outline. Letters that overlap are told apart by sums that no outline
// can have, and are covered as one.

import { intersection, type Rect, translation, union } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { transformPath } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { Glyph } from '#core/text/glyph-run.ts';
import { coverPath } from '../coverage.ts';
import { PHASES } from '../snap-glyphs.ts';
import { type Mask, MaskSheet, outlinePath, spansOf } from './glyph-masks.ts';

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

export interface Coverage extends Rect {
  readonly alphas: Uint8Array;
}

/** Baselines that are told apart within a pixel; the SVG of a list has no finer numbers. */
const BASELINES = 1000;
/** A sum of edges beyond this is an overlap; below, the rounding of the masks. */
const MOST_COVERAGE = 260;

/** A mask, and where its corner lies, device px. */
interface Letter {
  readonly glyph: Glyph;
  readonly mask: Mask;
  readonly left: number;
  readonly top: number;
}

/** Within `canvas`, device px. */
export function runCoverage(op: GlyphsOp, scale: number, face: FontFace, canvas: Rect): Coverage {
  const letters = joined(lettersOf(op, scale, face), op, scale, face);
  let bounds: Rect | null = null;
  for (const { mask, left, top } of letters) {
    bounds = union(bounds, { x: left, y: top, width: mask.width, height: mask.height });
  }
  const area = bounds && intersection(bounds, canvas);
  if (!area) return { x: 0, y: 0, width: 0, height: 0, alphas: new Uint8Array(0) };
  return { ...area, alphas: added(letters, area) ?? covered(op, op.run.glyphs, scale, face, area) };
}

function lettersOf({ run, origin }: GlyphsOp, scale: number, face: FontFace): Letter[] {
  const letters: Letter[] = [];
  const sheets = new Map<number, MaskSheet>();
  for (const glyph of run.glyphs) {
    const steps = Math.round((origin.x + glyph.x) * scale * PHASES);
    const x = Math.floor(steps / PHASES);
    const baseline = Math.round((origin.y + glyph.y) * scale * BASELINES);
    const y = Math.floor(baseline / BASELINES);
    const phaseY = baseline - y * BASELINES;
    let sheet = sheets.get(phaseY);
    if (!sheet) {
      sheet = new MaskSheet(run, scale, phaseY / BASELINES, face);
      sheets.set(phaseY, sheet);
    }
    const mask = sheet.mask(glyph.id, steps - x * PHASES);
    if (mask) letters.push({ glyph, mask, left: x + mask.x, top: y + mask.y });
  }
  for (const sheet of sheets.values()) sheet.keep();
  return letters;
}

/** Neighbours that overlap as one letter, an `ff` or a letter and its accent. */
function joined(letters: readonly Letter[], op: GlyphsOp, scale: number, face: FontFace): readonly Letter[] {
  const result: Letter[] = [];
  for (let i = 0; i < letters.length; ) {
    let end = i + 1;
    while (end < letters.length && overlap(letters[end - 1] as Letter, letters[end] as Letter)) end++;
    const group = letters.slice(i, end);
    result.push(...(group.length > 1 ? [asOne(group, op, scale, face)] : group));
    i = end;
  }
  return result;
}

function overlap(a: Letter, b: Letter): boolean {
  const shared = intersection(placeOf(a), placeOf(b));
  return shared !== null && added([a, b], shared) === null;
}

const placeOf = ({ mask: { width, height }, left, top }: Letter): Rect => ({ x: left, y: top, width, height });

function asOne(group: readonly Letter[], op: GlyphsOp, scale: number, face: FontFace): Letter {
  const [first] = group as readonly [Letter, ...Letter[]];
  const area = group.reduce<Rect>((bounds, letter) => union(bounds, placeOf(letter)) ?? bounds, placeOf(first));
  const glyphs = group.map(({ glyph }) => glyph);
  const alphas = covered(op, glyphs, scale, face, area);
  const mask = { ...area, alphas, spans: spansOf(alphas, area.width, area.height) };
  return { glyph: first.glyph, mask, left: area.x, top: area.y };
}

/** The sums of all masks; null where letters overlap. */
function added(letters: readonly Letter[], area: Rect): Uint8Array | null {
  const alphas = new Uint8Array(area.width * area.height);
  for (const { mask, left, top } of letters) {
    const { width, spans, alphas: own } = mask;
    const [offsetX, offsetY] = [left - area.x, top - area.y];
    const firstRow = Math.max(0, -offsetY);
    const lastRow = Math.min(mask.height, area.height - offsetY);
    for (let row = firstRow; row < lastRow; row++) {
      const from = Math.max(spans[2 * row] as number, -offsetX);
      const to = Math.min(spans[2 * row + 1] as number, area.width - offsetX);
      let at = (row + offsetY) * area.width + offsetX + from;
      const end = row * width + to;
      for (let i = row * width + from; i < end; i++, at++) {
        const sum = (alphas[at] as number) + (own[i] as number);
        if (sum > MOST_COVERAGE) return null;
        alphas[at] = sum > 255 ? 255 : sum;
      }
    }
  }
  return alphas;
}

/** Letters as one outline. */
function covered({ run, origin }: GlyphsOp, glyphs: readonly Glyph[], scale: number, face: FontFace, area: Rect) {
  const rounded = (px: number) => Math.round(px * 1000) / 1000;
  const path = glyphs.flatMap(({ id, x, y }) =>
    transformPath(outlinePath(run, face, id), translation(rounded(origin.x + x), rounded(origin.y + y))),
  );
  return coverPath(path, 'nonzero', { x: 0, y: 0, scale }, area);
}
