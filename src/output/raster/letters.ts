// A run of letters in, their masks in their places out, those that touch put together.
//
// Upright letters start on quarters of a device pixel, on the baseline that they had: so a letter has four looks at a size,
// and its masks can be kept. An eighth of a pixel is the most that a letter moves.

import type { Matrix, Rect } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { Glyph } from '#core/text/glyph-run.ts';
import { BASELINES, MaskSheet, PHASES } from './glyph-masks.ts';
import type { PaintMemory } from './paint-memory.ts';

export type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** What a letter covers, on the canvas, row by row. */
export interface Letter extends Rect {
  readonly glyph: Glyph;
  readonly alphas: Uint8Array;
  /** Where its origin lies: across in `PHASES` of a device pixel, down in `BASELINES` of one. */
  readonly steps: number;
  readonly baseline: number;
}

/** Font size from which letters are drawn as outlines, device px. */
const LARGEST = 256;

/** Whether letters may be drawn from masks: neither turned nor stretched. Device px per px then, else null. */
export function uprightScale([a, b, c, d]: Matrix): number | null {
  return b === 0 && c === 0 && a > 0 && Math.abs(a - d) < 1e-9 ? a : null;
}

/** A place on the quarter of a pixel that it is nearest to. */
export function snapped(x: number): number {
  return Math.round(x * PHASES) / PHASES;
}

/** In drawing order; null where one of them is too large to be a mask, or they are not upright. */
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

/** Where groups of letters start, of which none touches another. */
export function groupStarts(letters: readonly Rect[]): readonly number[] {
  const starts: number[] = [];
  // How far to the right and down the last group reaches, and all before it.
  let right = -Infinity;
  let bottom = -Infinity;
  let beforeRight = -Infinity;
  let beforeBottom = -Infinity;
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i];
    if (!letter) break;
    const { x, y, width, height } = letter;
    if (x < beforeRight && y < beforeBottom) {
      // It may touch any of them.
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
