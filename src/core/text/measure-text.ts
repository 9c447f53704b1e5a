// How wide a stretch of prepared text is when it stands on a line of its own.
//
// A stretch that starts or ends where HarfBuzz calls it unsafe to break (inside a ligature, a kerned pair, joined
// letters) is shaped anew as far as the next safe places, and only there.

import type { PreparedText } from './prepare-text.ts';
import { advanceOf, type ShapedRun, shapePiece, spacingAfter } from './shape.ts';

/** Width of `start`–`end`, px at scale 1. */
export function textWidth(text: PreparedText, start: number, end: number): number {
  if (start >= end) return 0;
  const { safe } = text;
  let from = start;
  while (from < end && !safe[from]) from++;
  let to = end;
  while (to > from && !safe[to]) to--;
  return pieceWidth(text, start, from) + (text.edges[to] ?? 0) - (text.edges[from] ?? 0) + pieceWidth(text, to, end);
}

/** Width of a piece within one run, shaped on its own. */
export function pieceWidth(text: PreparedText, start: number, end: number): number {
  if (start >= end) return 0;
  const run = text.runs[runAt(text.runs, start)];
  if (!run) return 0;
  let width = 0;
  let cluster = -1;
  for (const glyph of shapePiece(text.text, run, start, end)) {
    if (glyph.cluster !== cluster) width += spacingAfter(text.text, run, glyph.cluster);
    cluster = glyph.cluster;
    width += advanceOf(text.text, run, glyph);
  }
  return width;
}

/** Index of the run that holds an offset. */
export function runAt(runs: readonly ShapedRun[], offset: number): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((runs[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
