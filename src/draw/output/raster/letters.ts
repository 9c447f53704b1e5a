// Positions the letters of a run as masks, and groups those that touch.
//
// The origins of upright letters are rounded to quarters of a device pixel, while the baseline is kept. A letter then
// has four variants per size, so that its masks can be cached; it moves by at most an eighth of a pixel.

import { type Matrix, type Rect, rectsOverlap, union } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { Glyph } from '#core/text/glyph-run.ts';
import { BASELINES, type MaskSheets, PHASES } from './glyph-masks.ts';
import type { PaintMemory } from './paint-memory.ts';

export type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** A letter's coverage on the canvas, row by row. */
export interface Letter extends Rect {
  readonly glyph: Glyph;
  readonly alphas: Uint8Array;
  /** Its origin: across in 1 / `PHASES` of a device pixel, down in 1 / `BASELINES` of one. */
  readonly steps: number;
  readonly baseline: number;
}

/** Largest font size for masks, device px; larger letters are drawn as outlines. */
const LARGEST = 256;

/** Device px per px when letters may be drawn from masks, that is neither rotated nor distorted; else null. */
export function uprightScale([a, b, c, d]: Matrix): number | null {
  return b === 0 && c === 0 && a > 0 && Math.abs(a - d) < 1e-9 ? a : null;
}

/** Rounds a position to the nearest quarter of a pixel. */
export function snapped(x: number): number {
  return Math.round(x * PHASES) / PHASES;
}

/** The letters in drawing order; null when one of them is too large for a mask, or they are not upright. */
export function placeLetters(
  { run, origin }: GlyphsOp,
  face: FontFace,
  matrix: Matrix,
  memory: PaintMemory,
  sheets: MaskSheets,
): readonly Letter[] | null {
  const scale = uprightScale(matrix);
  if (scale === null || run.fontSize * scale > LARGEST) return null;
  const letters: Letter[] = [];
  for (const glyph of run.glyphs) {
    const steps = Math.round((scale * (origin.x + glyph.x) + matrix[4]) * PHASES);
    const baseline = Math.round((scale * (origin.y + glyph.y) + matrix[5]) * BASELINES);
    const originX = Math.floor(steps / PHASES);
    const originY = Math.floor(baseline / BASELINES);
    const phaseY = baseline - originY * BASELINES;
    const sheet = sheets.of(face, run.fontSize * scale, run.slant, phaseY);
    const mask = sheet.mask(glyph.id, steps - originX * PHASES, memory);
    if (mask === 'large') return null;
    if (mask === null) continue;
    const { x, y, width, height, alphas } = mask;
    letters.push({ glyph, x: originX + x, y: originY + y, width, height, alphas, steps, baseline });
  }
  sheets.keep();
  return letters;
}

/** Adjacent letters whose masks are combined, with their bounding box. */
interface Group {
  readonly start: number;
  readonly box: Rect;
  /** The right and bottom extents of this group and of all groups before it. */
  readonly right: number;
  readonly bottom: number;
}

/**
 * Most groups that a letter is compared with. Letters of a line reach back past one or two; the limit bounds the work
 * for those of a hostile font.
 */
const MOST_COMPARED = 64;

/**
 * The start indices of groups of adjacent letters, such that no letter touches one of another group. A letter that
 * reaches under an earlier group, as an Arabic reh does, joins that group and all that follow it, not the whole line.
 */
export function groupStarts(letters: readonly Rect[]): readonly number[] {
  const groups: Group[] = [];
  // Not by `entries`, whose pairs would be a third of what is allocated here.
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] as Rect;
    const first = firstTouched(groups, letter);
    let box = letter;
    for (let g = first; g < groups.length; g++) box = union(box, groups[g]?.box ?? null) ?? box;
    const start = groups[first]?.start ?? i;
    while (groups.length > first) groups.pop();
    const before = groups.at(-1);
    const [right, bottom] = [box.x + box.width, box.y + box.height];
    groups.push({
      start,
      box,
      right: before ? Math.max(before.right, right) : right,
      bottom: before ? Math.max(before.bottom, bottom) : bottom,
    });
  }
  return groups.map(({ start }) => start);
}

/** The index of the first group that the letter touches; the number of groups when it touches none. */
function firstTouched(groups: readonly Group[], letter: Rect): number {
  let first = groups.length;
  for (let g = groups.length - 1; g >= 0; g--) {
    const group = groups[g];
    if (!group || letter.x >= group.right || letter.y >= group.bottom) return first;
    if (groups.length - g > MOST_COMPARED) return 0;
    if (rectsOverlap(group.box, letter)) first = g;
  }
  return first;
}
