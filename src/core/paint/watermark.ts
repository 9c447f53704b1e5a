// The watermark of files that a test key asked for: lines of small words across the picture.
//
// The letters are strokes on a grid of 4 × 6, so that they need no font, and are the same in pixels, in our PDFs and over
// the pages of a browser.

import type { Size } from '../geometry.ts';
import { type PathData, type PathSegment, transformPath } from '../path.ts';
import type { DisplayList, PaintOp, Stroke } from './display-list.ts';

/** The polylines of each letter: points as pairs of digits, x and y downwards. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  A: ['06 20 46', '14 34'],
  E: ['40 00 06 46', '03 33'],
  K: ['00 06', '40 03 46'],
  L: ['00 06 46'],
  N: ['06 00 46 40'],
  P: ['06 00 30 41 42 33 03'],
  S: ['41 30 10 01 02 13 33 44 45 36 16 05'],
  T: ['00 40', '20 26'],
  Y: ['00 23 40', '23 26'],
};
const WORDS = 'PLATEN TEST KEY';
/** Of a letter, px of the canvas; smaller on a small one. */
const LETTER_HEIGHT = 12;
/** Units of the grid from one letter to the next, and between two repetitions of the words. */
const ADVANCE = 6;
const GAP = 18;
/** A high picture has a line for each of these, px. */
const LINE_SPACING = 800;
/** Dark on light, to be seen on any background; the widths are in units of the grid. */
const STROKES = [
  { grey: 255, opacity: 0.7, width: 2.4 },
  { grey: 60, opacity: 0.7, width: 0.8 },
] as const;

export interface Watermark {
  /** One line of words, from x = 0 to the width of the canvas; its letters begin at y = 0. */
  readonly path: PathData;
  /** Where the lines begin, px from the top. */
  readonly tops: readonly number[];
  /** Drawn one above the other; in 0..255, 0..1 and px. */
  readonly strokes: readonly { readonly grey: number; readonly opacity: number; readonly width: number }[];
}

/** For a canvas of this size, px. */
export function watermarkOf({ width, height }: Size): Watermark {
  const unit = Math.min(LETTER_HEIGHT, height / 8, width / 16) / 6;
  const lines = Math.max(1, Math.round(height / LINE_SPACING));
  const wordsWidth = WORDS.length * ADVANCE * unit;
  const repeats = Math.max(1, Math.floor(width / (wordsWidth + GAP * unit)));
  const path = Array.from(
    { length: repeats },
    (_, index) => ((index + 0.5) * width) / repeats - wordsWidth / 2,
  ).flatMap((left) => [...WORDS].flatMap((letter, index) => strokesOf(letter, left + index * ADVANCE * unit, unit)));
  return {
    path,
    tops: Array.from({ length: lines }, (_, line) => ((line + 0.5) * height) / lines - 3 * unit),
    strokes: STROKES.map((stroke) => ({ ...stroke, width: stroke.width * unit })),
  };
}

const strokesOf = (letter: string, left: number, unit: number): readonly PathSegment[] =>
  (LETTERS[letter] ?? []).flatMap((line) =>
    line
      .split(' ')
      .map(([x, y], index): PathSegment => [index === 0 ? 'M' : 'L', left + Number(x) * unit, Number(y) * unit]),
  );

/** The list with the watermark above all else. */
export function withWatermark(list: DisplayList): DisplayList {
  const { path, tops, strokes } = watermarkOf(list);
  const everywhere = tops.flatMap((top) => transformPath(path, [1, 0, 0, 1, 0, top]));
  const marks = strokes.map(({ grey, opacity, width }): PaintOp => {
    const stroke: Stroke = { width, cap: 'round', join: 'round', miterLimit: 4, dash: [] };
    const color = { r: grey, g: grey, b: grey, a: opacity };
    return { kind: 'stroke', path: everywhere, stroke, brush: { kind: 'solid', color } };
  });
  return { ...list, ops: [...list.ops, ...marks] };
}
