// A run of upright letters in, its letters as masks in their places out.

import type { Rect } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { Glyph } from '#core/text/glyph-run.ts';
import type { Mask } from '../coverage.ts';
import { PHASES } from '../snap-glyphs.ts';
import { MaskSheet } from './glyph-masks.ts';

export type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** What a letter covers, on the canvas. */
export interface Letter extends Mask {
  readonly glyph: Glyph;
}

export interface LetterRow {
  /** Those that show anything, in drawing order. */
  readonly letters: readonly Letter[];
  /** The pixels of all; without letters, none. */
  readonly area: Rect;
  /** Equal for equal letters in equal places; hardly ever for others. */
  readonly glance: number;
}

/** Baselines that are told apart within a pixel; the SVG of a list has no finer numbers. */
const BASELINES = 1000;

/** Each letter on the quarter of a pixel that it is nearest to. */
export function placeLetters({ run, origin }: GlyphsOp, face: FontFace): LetterRow {
  const letters: Letter[] = [];
  let sheet: MaskSheet | null = null;
  let sheetPhase = -1;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let glance = (run.fontSize * 64) | 0;
  for (const glyph of run.glyphs) {
    const steps = Math.round((origin.x + glyph.x) * PHASES);
    const baseline = Math.round((origin.y + glyph.y) * BASELINES);
    glance = Math.imul(Math.imul(glance ^ glyph.id, 0x9e3779b1) ^ steps, 0x85ebca6b) ^ baseline;
    const originX = Math.floor(steps / PHASES);
    const originY = Math.floor(baseline / BASELINES);
    const phaseY = baseline - originY * BASELINES;
    if (sheet === null || phaseY !== sheetPhase) {
      sheet?.keep();
      sheet = new MaskSheet(run, phaseY, face);
      sheetPhase = phaseY;
    }
    const mask = sheet.mask(glyph.id, steps - originX * PHASES);
    if (mask === null) continue;
    const { width, height, alphas } = mask;
    const [x, y] = [originX + mask.x, originY + mask.y];
    letters.push({ x, y, width, height, alphas, glyph });
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  sheet?.keep();
  if (letters.length === 0) return { letters, area: { x: 0, y: 0, width: 0, height: 0 }, glance };
  return { letters, area: { x: left, y: top, width: right - left, height: bottom - top }, glance };
}
