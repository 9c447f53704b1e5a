// Letters in their places in, drawn on a surface out, as the rasteriser draws them as one outline.
//
// Letters that touch no common pixel are drawn one by one. Where they touch, coverages add up to what the rasteriser
// would find for all of them; letters that overlap are told by sums that no outline can have, and are covered as one.

import { type Rect, translation, union } from '#core/geometry.ts';
import { transformPath } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import { coverPath, type Mask } from '../coverage.ts';
import { PHASES } from '../snap-glyphs.ts';
import { outlinePath } from './glyph-masks.ts';
import type { GlyphsOp, Letter } from './letters.ts';
import type { Surface } from './surface.ts';

/** A sum of edges beyond this is an overlap; below, the rounding of the masks. */
const MOST_COVERAGE = 260;

/** @param color premultiplied */
export function drawLetters(
  surface: Surface,
  op: GlyphsOp,
  letters: readonly Letter[],
  face: FontFace,
  color: number,
): void {
  const masks: Mask[] = [];
  for (const group of touching(letters)) {
    const area = group.length > 1 ? group.reduce<Rect | null>(union, null) : null;
    if (area) masks.push({ ...area, alphas: added(group, area) ?? covered(op, group, face, area) });
    else masks.push(...group);
  }
  surface.drawMasks(masks, color);
}

/** Letters in groups, of which none touches another. */
function touching(letters: readonly Letter[]): readonly (readonly Letter[])[] {
  let groups: Letter[][] = [];
  // How far to the right and down the last group reaches, and all before it.
  let [right, bottom, beforeRight, beforeBottom] = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (const letter of letters) {
    const { x, y, width, height } = letter;
    const isBeyond = (toRight: number, toBottom: number) => x >= toRight || y >= toBottom;
    if (!isBeyond(beforeRight, beforeBottom)) {
      // It may touch any of them.
      groups = [[...groups.flat(), letter]];
      [right, bottom] = [Math.max(right, beforeRight), Math.max(bottom, beforeBottom)];
      [beforeRight, beforeBottom] = [-Infinity, -Infinity];
    } else if (!isBeyond(right, bottom)) {
      groups.at(-1)?.push(letter);
    } else {
      groups.push([letter]);
      [beforeRight, beforeBottom] = [Math.max(beforeRight, right), Math.max(beforeBottom, bottom)];
      [right, bottom] = [-Infinity, -Infinity];
    }
    [right, bottom] = [Math.max(right, x + width), Math.max(bottom, y + height)];
  }
  return groups;
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
function covered({ run, origin }: GlyphsOp, letters: readonly Letter[], face: FontFace, area: Rect): Uint8Array {
  const path = letters.flatMap(({ glyph: { id, x, y } }) =>
    transformPath(outlinePath(run, face, id), translation(snapped(origin.x + x), rounded(origin.y + y))),
  );
  return coverPath(path, 'nonzero', { x: 0, y: 0 }, area);
}
