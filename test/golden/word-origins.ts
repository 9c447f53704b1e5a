// Extracts the words of a display list with their positions, to compare a PDF's text with.
//
// A word is a stretch without white space in one glyph run, or in adjacent runs on one baseline. Rotated and skewed
// text is left out, as its boxes are of little use.

import { IDENTITY, type Matrix, multiply, transformPoint } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';

export interface WordOrigin {
  readonly text: string;
  /** The key of its first glyph's face. */
  readonly face: string;
  /** Canvas px: the origin of its leftmost glyph, and the end of its rightmost one. */
  readonly x: number;
  readonly end: number;
  readonly baseline: number;
  /** px on the canvas. */
  readonly fontSize: number;
}

/** Returns the words in painting order. */
export function wordOrigins(list: DisplayList): WordOrigin[] {
  const words: WordOrigin[] = [];
  for (const piece of pieces(list.ops, IDENTITY)) {
    const before = words.at(-1);
    const touches =
      before && piece.joins && before.baseline === piece.baseline && Math.abs(before.end - piece.x) < 0.01;
    if (before && touches) words[words.length - 1] = { ...before, text: before.text + piece.text, end: piece.end };
    else words.push(piece);
  }
  return words.map(({ text, face, x, end, baseline, fontSize }) => ({ text, face, x, end, baseline, fontSize }));
}

/** Counts all glyphs, including those of transformed groups. */
export function countGlyphs(ops: readonly PaintOp[]): number {
  return ops.reduce((count, op) => {
    if (op.kind === 'group') return count + countGlyphs(op.ops);
    return count + (op.kind === 'glyphs' ? op.run.glyphs.length : 0);
  }, 0);
}

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;
/** `joins`: there is no white space before it in its run, so it may continue the word of the run before. */
type Piece = WordOrigin & { readonly joins: boolean };

function* pieces(ops: readonly PaintOp[], toCanvas: Matrix): Generator<Piece> {
  for (const op of ops) {
    if (op.kind === 'group') yield* pieces(op.ops, multiply(toCanvas, op.transform));
    else if (op.kind === 'glyphs' && toCanvas[1] === 0 && toCanvas[2] === 0) yield* wordsOfRun(op, toCanvas);
  }
}

function* wordsOfRun({ run, origin }: GlyphsOp, toCanvas: Matrix): Generator<Piece> {
  const starts = [...new Set(run.glyphs.map((glyph) => glyph.cluster))].sort((a, b) => a - b);
  const clusters = starts.map((start, index) => {
    const glyphs = run.glyphs.filter((glyph) => glyph.cluster === start);
    return {
      text: run.text.slice(start, starts[index + 1]),
      x: Math.min(...glyphs.map((glyph) => glyph.x)),
      end: Math.max(...glyphs.map((glyph) => glyph.x + glyph.advance)),
    };
  });
  let joins = run.direction === 'ltr';
  for (let at = 0; at < clusters.length; at++) {
    const word: typeof clusters = [];
    for (; at < clusters.length && clusters[at]?.text.trim() !== ''; at++) word.push(...clusters.slice(at, at + 1));
    if (word.length > 0) {
      const left = Math.min(...word.map(({ x }) => x));
      const right = Math.max(...word.map(({ end }) => end));
      const start = transformPoint(toCanvas, { x: origin.x + left, y: origin.y });
      yield {
        text: word.map(({ text }) => text).join(''),
        face: run.face,
        x: start.x,
        end: start.x + (right - left) * toCanvas[0],
        baseline: start.y,
        fontSize: run.fontSize * toCanvas[3],
        joins,
      };
    }
    joins = false;
  }
}
