// Measures the pen positions along prepared text, and the width of a stretch that is on a line of its own.
//
// A stretch that starts or ends where HarfBuzz calls it unsafe to break (inside a ligature, a kerned pair, joined
// letters) is reshaped from there to the next safe place, and only there.

import { indexAt } from './index-at.ts';
import type { PreparedText } from './prepare-text.ts';
import { runWidth, shapePiece, spacingAfter } from './shape.ts';

/** Width of `start`–`end`, px at scale 1. */
export function textWidth(text: PreparedText, start: number, end: number): number {
  if (start >= end) return 0;
  let from = start;
  while (from < end && !text.safe[from]) from++;
  let to = end;
  while (to > from && !text.safe[to]) to--;
  return pieceWidth(text, start, from) + (text.edges[to] ?? 0) - (text.edges[from] ?? 0) + pieceWidth(text, to, end);
}

/** Width of a piece within one run, shaped on its own. */
export function pieceWidth(text: PreparedText, start: number, end: number): number {
  if (start >= end) return 0;
  const run = text.runs[indexAt(text.runs, start)];
  if (!run) return 0;
  return runWidth(text.text, shapePiece(text.text, run, start, end));
}

/**
 * Letter and word spacing after the last cluster of `start`–`end`, px at scale 1: there is none at the end of a line
 * (CSS Text 3, letter-spacing), though `textWidth` counts it.
 */
export function trailingSpacing(text: PreparedText, start: number, end: number): number {
  if (!text.isSpaced || text.node.keepsSpacing) return 0;
  const last = lastVisible(text, start, end);
  const run = text.runs[indexAt(text.runs, last)];
  return last >= 0 && run ? spacingAfter(text.text, run, last) : 0;
}

/** The start of the last grapheme of `start`–`end` that is not invisible; -1 if there is none. */
export function lastVisible({ visible }: PreparedText, start: number, end: number): number {
  const last = visible[end] ?? -1;
  return last >= start ? last : -1;
}
