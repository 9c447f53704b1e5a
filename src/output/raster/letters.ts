// Positions the letters of a run as masks, and groups those that touch.
//
// The origins of upright letters are rounded to quarters of a device pixel, while the baseline is kept. A letter then
// has four variants per size, so that its masks can be cached; it moves by at most an eighth of a pixel.

import type { Matrix, Rect } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { Glyph } from '#core/text/glyph-run.ts';
import { BASELINES, MaskSheet, PHASES } from './glyph-masks.ts';
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
): readonly Letter[] | null {
  const scale = uprightScale(matrix);
  if (scale === null || run.fontSize * scale > LARGEST) return null;
  const letters: Letter[] = [];
  let sheet: MaskSheet | null = null;
  let sheetPhase = -1;
  for (const glyph of run.glyphs) {
    const steps = Math.round((scale * (origin.x + glyph.x) + matrix[4]) * PHASES);
    const baseline = Math.round((scale * (origin.y + glyph.y) + matrix[5]) * BASELINES);
    const originX = Math.floor(steps / PHASES);
    const originY = Math.floor(baseline / BASELINES);
    const phaseY = baseline - originY * BASELINES;
    if (sheet === null || phaseY !== sheetPhase) {
      sheet?.keep();
      sheet = new MaskSheet(run, run.fontSize * scale, phaseY, face);
      sheetPhase = phaseY;
    }
    const mask = sheet.mask(glyph.id, steps - originX * PHASES, memory);
    if (mask === 'large') {
      sheet.keep();
      return null;
    }
    if (mask === null) continue;
    const { x, y, width, height, alphas } = mask;
    letters.push({ glyph, x: originX + x, y: originY + y, width, height, alphas, steps, baseline });
  }
  sheet?.keep();
  return letters;
}

/** The start indices of groups of letters, such that no group touches another. */
export function groupStarts(letters: readonly Rect[]): readonly number[] {
  const starts: number[] = [];
  // The right and bottom extents of the last group, and of all groups before it.
  let right = -Infinity;
  let bottom = -Infinity;
  let beforeRight = -Infinity;
  let beforeBottom = -Infinity;
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i];
    if (!letter) break;
    const { x, y, width, height } = letter;
    if (x < beforeRight && y < beforeBottom) {
      // It may touch any of them, so all become one group.
      starts.length = 1;
      right = Math.max(right, beforeRight);
      bottom = Math.max(bottom, beforeBottom);
      beforeRight = -Infinity;
      beforeBottom = -Infinity;
    } else if (x >= right || y >= bottom) {
      starts.push(i);
      beforeRight = Math.max(beforeRight, right);
      beforeBottom = Math.max(beforeBottom, bottom);
      right = -Infinity;
      bottom = -Infinity;
    }
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return starts;
}
