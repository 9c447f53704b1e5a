// Text with levels → the runs that a font is chosen for and HarfBuzz shapes one by one.
//
// Every character of a run has the same level, script, presentation and span. Runs are in logical order, without gaps.

import type { BidiText } from './bidi.ts';

export interface TextRun {
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** Embedding level; odd is right to left. */
  readonly level: number;
  /** ISO 15924 tag as HarfBuzz takes it; `Zyyy` where the run has no letters to tell. */
  readonly script: string;
  /** True where the characters ask for emoji presentation (UTS #51): prefer a colour face. */
  readonly emoji: boolean;
  /** Index into the spans that the caller gave. */
  readonly span: number;
}

/**
 * Cuts a text into runs by level, script (UAX #24), emoji presentation (UTS #51) and the caller's spans.
 *
 * @param spanStarts the UTF-16 offset at which each span starts, ascending, the first 0; equal offsets are empty spans
 */
export function itemize(bidi: BidiText, spanStarts: readonly number[]): TextRun[] {
  return spanStarts.flatMap((start, span) => {
    const end = spanStarts[span + 1] ?? bidi.text.length;
    return start < end ? [{ start, end, level: bidi.levels[start] ?? 0, script: 'Latn', emoji: false, span }] : [];
  });
}
