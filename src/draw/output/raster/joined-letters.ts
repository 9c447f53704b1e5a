// Makes one mask of letters that touch, as joined Arabic letters do along a line, and keeps it between renders.
//
// Where they overlap they are rasterised as one outline, because the coverage of two letters in a pixel does not
// determine their joint coverage. Elsewhere it is the sum of their masks.

import { type Rect, union } from '#core/geometry.ts';
import { runToEnd } from '#core/steps.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { resourceCache } from '../resource-cache.ts';
import { addLetters } from './add-letters.ts';
import { BASELINES, type GlyphMask, letterScale, PHASES } from './glyph-masks.ts';
import type { Letter } from './letters.ts';
import type { PaintMemory } from './paint-memory.ts';

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
export function joinedMask(
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
