// Letters in their places in, what they cover out, as the rasteriser draws them as one outline.
//
// Letters that touch no common pixel stay as they are. Where they touch, coverages add up to what the rasteriser
// would find for all of them; letters that overlap are told by sums that no outline can have, and are covered as one.

import { inflate, type Rect, rectContains, translation, union } from '#core/geometry.ts';
import { controlBounds, type PathData, transformPath } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import { coverPath, type Mask } from '../coverage.ts';
import { PHASES } from '../snap-glyphs.ts';
import { outlinePath } from './glyph-masks.ts';
import type { GlyphsOp, Letter } from './letters.ts';

/** A sum of edges beyond this is an overlap; below, the rounding of the masks. */
const MOST_COVERAGE = 260;

/** What letters cover, as masks of which no two have a pixel in common. */
export function letterMasks(op: GlyphsOp, letters: readonly Letter[], face: FontFace): readonly Mask[] {
  const starts = groupStarts(letters);
  if (starts.length === letters.length) return letters;
  const masks: Mask[] = [];
  for (let i = 0; i < starts.length; i++) {
    const group = letters.slice(starts[i], starts[i + 1]);
    const touched = group.length > 1 ? group.reduce<Rect | null>(union, null) : null;
    if (touched) masks.push({ ...touched, alphas: added(group, touched) ?? covered(op, group, face, touched) });
    else masks.push(...group);
  }
  return masks;
}

/** Where groups of letters start, of which none touches another. */
function groupStarts(letters: readonly Letter[]): readonly number[] {
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

/** The sums of all masks; null where letters overlap. */
function added(letters: readonly Letter[], area: Rect): Uint8Array | null {
  const alphas = new Uint8Array(area.width * area.height);
  for (const { x, y, width, height, alphas: own } of letters) {
    for (let row = 0; row < height; row++) {
      let at = (y + row - area.y) * area.width + x - area.x;
      const end = (row + 1) * width;
      for (let i = row * width; i < end; i++, at++) {
        const sum = (alphas[at] as number) + (own[i] as number);
        if (sum > MOST_COVERAGE) return null;
        alphas[at] = sum > 255 ? 255 : sum;
      }
    }
  }
  return alphas;
}

const snapped = (px: number) => Math.round(px * PHASES) / PHASES;
const rounded = (px: number) => Math.round(px * 1000) / 1000;

/** Letters as one outline. */
function covered(op: GlyphsOp, letters: readonly Letter[], face: FontFace, area: Rect): Uint8Array {
  const path = letters.flatMap((letter) => letterPath(op, letter, face));
  return coverPath(path, 'nonzero', area);
}

function letterPath({ run, origin }: GlyphsOp, { glyph: { id, x, y } }: Letter, face: FontFace): PathData {
  return transformPath(outlinePath(run, face, id), translation(snapped(origin.x + x), rounded(origin.y + y)));
}

/**
 * Whether no outline reaches beyond the canvas, where the rasteriser's own antialiasing differs: be it by less than shows.
 *
 * @param letters whose masks lie on the canvas
 */
export function lieWithin(op: GlyphsOp, letters: readonly Letter[], face: FontFace, canvas: Rect): boolean {
  return letters.every((letter) => {
    if (rectContains(canvas, inflate(letter, 1))) return true;
    const bounds = controlBounds(letterPath(op, letter, face));
    return bounds !== null && rectContains(canvas, bounds);
  });
}
