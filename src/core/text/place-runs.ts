// A stretch of prepared text on one line → glyph runs in visual order, left to right.

import { reorderLine } from './bidi.ts';
import type { ShapedGlyph } from './font-face.ts';
import type { Glyph, GlyphRun } from './glyph-run.ts';
import { runAt } from './measure-text.ts';
import type { PreparedText } from './prepare-text.ts';
import { advanceOf, type ShapedRun, shapePiece, spacingAfter } from './shape.ts';

/** A glyph run on its line; x is px from the line's left edge. */
export interface PlacedRun {
  readonly run: GlyphRun;
  readonly span: number;
  readonly x: number;
}

/** Extra space after a cluster, px: what justification adds. */
export type Expansion = (cluster: number) => number;

interface Piece {
  readonly run: ShapedRun;
  readonly span: number;
  readonly start: number;
  readonly end: number;
}

/** Runs for `start`–`end` at `scale`, placed one after another from x = `x`. */
export function placeRuns(
  text: PreparedText,
  start: number,
  end: number,
  scale: number,
  x = 0,
  expansion: Expansion | null = null,
): PlacedRun[] {
  const placed: PlacedRun[] = [];
  let pen = x;
  for (const levelRun of reorderLine(text.bidi, start, end)) {
    const pieces = cut(text, levelRun.start, levelRun.end);
    if (levelRun.level % 2 === 1) pieces.reverse();
    for (const piece of pieces) {
      const run = glyphRun(text, piece, start, end, scale, expansion);
      placed.push({ run, span: piece.span, x: pen });
      pen += run.width;
    }
  }
  return placed;
}

/** In logical order: the pieces of one shaped run and one span. */
function cut(text: PreparedText, start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  let runIndex = runAt(text.runs, start);
  let span = spanAt(text, start);
  for (let at = start; at < end; ) {
    const run = text.runs[runIndex];
    if (!run) break;
    const stop = Math.min(end, run.end, text.spans[span]?.end ?? end);
    if (stop > at) pieces.push({ run, span, start: at, end: stop });
    at = stop;
    if (at >= run.end) runIndex++;
    while (at >= (text.spans[span]?.end ?? Infinity) && span < text.spans.length - 1) span++;
    if (stop >= end) break;
  }
  return pieces;
}

/** Index of the span that a character came from. */
export function spanAt(text: PreparedText, offset: number): number {
  const index = text.spans.findIndex((span) => offset < span.end);
  return index < 0 ? text.spans.length - 1 : index;
}

function glyphRun(
  text: PreparedText,
  piece: Piece,
  lineStart: number,
  lineEnd: number,
  scale: number,
  expansion: Expansion | null,
): GlyphRun {
  const { run, start, end } = piece;
  const { face, slant } = run.match;
  const isRtl = run.level % 2 === 1;
  const source = glyphsBetween(text, run, Math.max(run.start, lineStart), Math.min(run.end, lineEnd));
  const unit = (run.style.fontSize * scale) / face.unitsPerEm;

  const glyphs: Glyph[] = [];
  let pen = 0;
  const [from, to] = clusterRange(source, start, end, isRtl);
  for (let i = from; i < to; i++) {
    const glyph = source[i];
    if (!glyph) break;
    const { cluster } = glyph;
    let advance = advanceOf(text.text, run, glyph) * scale;
    let x = pen + glyph.xOffset * unit;
    // Space goes to the end of a cluster in reading order: behind its last glyph, or before its leftmost one.
    const isOuter = source[isRtl ? i - 1 : i + 1]?.cluster !== cluster;
    if (isOuter) {
      const space = spacingAfter(text.text, run, cluster) * scale + (expansion?.(cluster) ?? 0);
      advance += space;
      if (isRtl) x += space;
    }
    glyphs.push({ id: glyph.id, cluster: cluster - start, x, y: -glyph.yOffset * unit || 0, advance });
    pen += advance;
  }
  return {
    face: face.key,
    fontSize: run.style.fontSize * scale,
    direction: isRtl ? 'rtl' : 'ltr',
    slant,
    text: text.text.slice(start, end),
    glyphs,
    width: pen,
  };
}

/** The glyphs of a part of a run, shaped anew where the part starts or ends at an unsafe place. */
function glyphsBetween(text: PreparedText, run: ShapedRun, start: number, end: number): readonly ShapedGlyph[] {
  const isSafe = (offset: number) => offset === run.start || offset === run.end || text.safe[offset] === 1;
  return isSafe(start) && isSafe(end) ? run.glyphs : shapePiece(text.text, run, start, end);
}

/** Which glyphs belong to clusters in `start`–`end`; clusters only ever rise along an ltr run, and fall along an rtl one. */
function clusterRange(glyphs: readonly ShapedGlyph[], start: number, end: number, isRtl: boolean): [number, number] {
  const firstWhere = (holds: (cluster: number) => boolean) => {
    let low = 0;
    let high = glyphs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(glyphs[middle]?.cluster ?? 0)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return isRtl
    ? [firstWhere((cluster) => cluster < end), firstWhere((cluster) => cluster < start)]
    : [firstWhere((cluster) => cluster >= start), firstWhere((cluster) => cluster >= end)];
}
