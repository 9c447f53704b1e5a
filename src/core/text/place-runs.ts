// Places the glyph runs of a broken line in visual order, one after another from the line's left edge.

import { reorderLine, visualOrder } from './bidi.ts';
import type { BrokenLine } from './break-lines.ts';
import type { Glyph, GlyphRun } from './glyph-run.ts';
import { indexAt } from './index-at.ts';
import { lastVisible } from './measure-text.ts';
import type { PreparedText } from './prepare-text.ts';
import { advanceOf, directionOf, type ShapedRun, shapePiece, spacingAfter } from './shape.ts';

export interface PlacedRun {
  readonly run: GlyphRun;
  readonly span: number | null;
  /** px from the line's left edge. */
  readonly x: number;
}

export interface PlacedRuns {
  /** From left to right. */
  readonly runs: readonly PlacedRun[];
  readonly width: number;
}

const TAB = 9;

/** Extra space after the cluster that starts at an offset, px: what justification adds. */
export type Expansion = (cluster: number) => number;

/** Part of one shaped run, of one span, at one level; its offsets are into `text`. */
interface Piece {
  readonly text: string;
  readonly run: ShapedRun;
  readonly span: number | null;
  readonly level: number;
  readonly start: number;
  readonly end: number;
  /** The last cluster of the line, which has no spacing after it; -1 if it is in another piece. */
  readonly last: number;
}

export function placeRuns(
  text: PreparedText,
  line: BrokenLine,
  scale: number,
  expansion: Expansion | null,
): PlacedRuns {
  const runs: PlacedRun[] = [];
  let pen = 0;
  for (const pieces of joined(inVisualOrder(cutLine(text, line)))) {
    const [first] = pieces;
    const run = glyphRun(pieces, scale, first.text === text.text ? { edges: text.edges, expansion } : null);
    runs.push({ run, span: first.span, x: pen });
    pen += run.width;
  }
  return { runs, width: pen };
}

type Pieces = readonly [Piece, ...Piece[]];

/**
 * Pieces that one run can draw, together: where left-to-right text in one face changes its script, as Japanese does
 * every few letters, each run would cost as much as a line.
 */
function joined(pieces: readonly Piece[]): readonly Pieces[] {
  const all: [Piece, ...Piece[]][] = [];
  let open: [Piece, ...Piece[]] | undefined;
  let before: Piece | undefined;
  for (const piece of pieces) {
    if (open && before && continues(before, piece)) open.push(piece);
    else {
      open = [piece];
      all.push(open);
    }
    before = piece;
  }
  return all;
}

function continues(before: Piece, piece: Piece): boolean {
  const [{ match, style }, { run }] = [before.run, piece];
  return (
    before.end === piece.start &&
    before.text === piece.text &&
    before.span === piece.span &&
    before.level === piece.level &&
    directionOf(before.run) === 'ltr' &&
    directionOf(run) === 'ltr' &&
    match.face === run.match.face &&
    match.slant === run.match.slant &&
    match.embolden === run.match.embolden &&
    style.fontSize === run.style.fontSize
  );
}

function inVisualOrder(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.every(({ level }) => level === 0)) return pieces;
  return visualOrder(pieces.map((piece) => piece.level)).flatMap((index) => pieces[index] ?? []);
}

/** The pieces of a line in logical order, followed by the inserted text. */
function cutLine(text: PreparedText, { start, shownEnd, inserted }: BrokenLine): Piece[] {
  const pieces: Piece[] = [];
  // The line's own levels: trailing white space and tabs have been reset to the paragraph's (UAX #9, L1).
  const levels = reorderLine(text.bidi, start, shownEnd).sort((a, b) => a.start - b.start);
  const last = inserted || text.node.keepsSpacing ? -1 : lastVisible(text, start, shownEnd);
  let level = 0;
  let span = indexAt(text.spans, start);
  for (let i = indexAt(text.runs, start); (text.runs[i]?.start ?? Infinity) < shownEnd; i++) {
    const whole = text.runs[i];
    if (!whole) break;
    const end = Math.min(whole.end, shownEnd);
    const run = shapedFor(text, whole, Math.max(whole.start, start), end);
    for (let at = Math.max(whole.start, start); at < end; ) {
      while ((text.spans[span + 1]?.start ?? Infinity) <= at) span++;
      while ((levels[level]?.end ?? Infinity) <= at) level++;
      const border = Math.min(text.spans[span + 1]?.start ?? end, levels[level]?.end ?? end);
      const stop = border >= run.end ? end : Math.min(end, clusterFrom(run, border));
      const isLast = at <= last && last < stop;
      pieces.push({
        text: text.text,
        run,
        span,
        level: levels[level]?.level ?? run.level,
        start: at,
        end: stop,
        last: isLast ? clusterAt(run, last) : -1,
      });
      at = stop;
    }
  }
  for (const run of inserted?.runs ?? []) {
    const { text: source = '', span: from = null, level: at = 0 } = inserted ?? {};
    const isLast = run.end === source.length;
    const end = isLast ? clusterAt(run, run.end - 1) : -1;
    pieces.push({ text: source, run, span: from, level: at, start: run.start, end: run.end, last: end });
  }
  return pieces;
}

/** A run as a line draws it that shows its `start`–`end`: shaped anew if that cuts it at an unsafe place. */
function shapedFor(text: PreparedText, run: ShapedRun, start: number, end: number): ShapedRun {
  const isSafe = (offset: number) => offset === run.start || offset === run.end || text.safe[offset] === 1;
  return isSafe(start) && isSafe(end) ? run : shapePiece(text.text, run, start, end);
}

/** The distances and spaces that a line gives its own text, not the text inserted into it. */
interface LineSpaces {
  readonly edges: Float64Array;
  readonly expansion: Expansion | null;
}

function glyphRun(pieces: Pieces, scale: number, line: LineSpaces | null): GlyphRun {
  const [{ text, run, start }] = pieces;
  const { face, slant, embolden } = run.match;
  const glyphs: Glyph[] = [];
  let width = 0;
  let end = start;
  for (const piece of pieces) {
    width = addGlyphs(glyphs, piece, start, width, scale, line);
    end = piece.end;
  }
  return {
    face: face.key,
    fontSize: run.style.fontSize * scale,
    direction: directionOf(run),
    slant,
    ...(embolden ? { embolden } : {}),
    text: text.slice(start, end),
    glyphs,
    width,
  };
}

/**
 * Appends the glyphs of a piece.
 *
 * @param from offset of the first character of the run that it is part of
 * @param pen where it begins, px from that run's origin; returns where it ends
 */
function addGlyphs(
  glyphs: Glyph[],
  { text, run, start, end, last }: Piece,
  from: number,
  pen: number,
  scale: number,
  line: LineSpaces | null,
): number {
  const isReversed = run.level % 2 === 1;
  const unit = (run.style.fontSize * scale) / run.match.face.unitsPerEm;
  const to = glyphsEnd(run, start, end);
  for (let i = firstGlyph(run, start, end); i < to; i++) {
    const glyph = run.glyphs[i];
    if (!glyph) break;
    const cluster = run.start + glyph.cluster;
    let at = pen;
    let advance = advanceOf(run, glyph) * scale;
    if (line && text.charCodeAt(cluster) === TAB) {
      advance = ((line.edges[cluster + 1] ?? 0) - (line.edges[cluster] ?? 0)) * scale;
    } else if (cluster !== last && run.glyphs[isReversed ? i - 1 : i + 1]?.cluster !== glyph.cluster) {
      // Space goes to a cluster's end in reading order: after its last glyph or, right to left, before its first drawn.
      const space = spacingAfter(text, run, cluster) * scale + (line?.expansion?.(cluster) ?? 0);
      advance += space;
      if (isReversed) at += space;
    }
    const right = glyph.xOffset * unit;
    const down = glyph.yOffset === 0 ? 0 : -glyph.yOffset * unit;
    const x = run.upright ? right : at + right;
    const y = run.upright ? at + down : down;
    glyphs.push({ id: glyph.id, cluster: cluster - from, x, y, advance });
    pen += advance;
  }
  return pen;
}

// Finds the glyphs of a shaped run that belong to a stretch of its text.
//
// HarfBuzz keeps clusters monotone: ascending along an ltr run, descending along an rtl one.

/**
 * The index of the first glyph, in drawing order, whose cluster starts in `start`–`end`; such glyphs are contiguous.
 */
function firstGlyph(run: ShapedRun, start: number, end: number): number {
  return run.level % 2 === 1 ? firstBelow(run, end) : firstFrom(run, start);
}

/** The index after the last glyph whose cluster starts in `start`–`end`. */
function glyphsEnd(run: ShapedRun, start: number, end: number): number {
  return run.level % 2 === 1 ? firstBelow(run, start) : firstFrom(run, end);
}

/** The start of the first cluster at or after an offset; the run's end if there is none. */
function clusterFrom(run: ShapedRun, offset: number): number {
  const from = firstGlyph(run, offset, run.end);
  const to = glyphsEnd(run, offset, run.end);
  return from < to ? run.start + (run.glyphs[run.level % 2 === 1 ? to - 1 : from]?.cluster ?? 0) : run.end;
}

/** The start of the cluster that contains an offset. */
function clusterAt(run: ShapedRun, offset: number): number {
  const from = firstGlyph(run, run.start, offset + 1);
  const to = glyphsEnd(run, run.start, offset + 1);
  return run.start + (from < to ? (run.glyphs[run.level % 2 === 1 ? from : to - 1]?.cluster ?? 0) : 0);
}

/** With ascending clusters: the index of the first glyph at or after an offset. */
function firstFrom({ glyphs, start }: ShapedRun, offset: number): number {
  const sought = offset - start;
  let low = 0;
  let high = glyphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((glyphs[middle]?.cluster ?? 0) >= sought) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** With descending clusters: the index of the first glyph before an offset. */
function firstBelow({ glyphs, start }: ShapedRun, offset: number): number {
  const sought = offset - start;
  let low = 0;
  let high = glyphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((glyphs[middle]?.cluster ?? 0) < sought) high = middle;
    else low = middle + 1;
  }
  return low;
}
