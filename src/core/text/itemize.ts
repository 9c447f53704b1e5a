// Cuts text with bidi levels into runs, for which faces are chosen and which HarfBuzz shapes one by one.
//
// All characters of a run have one level, script, presentation, orientation and span. Runs are in logical order,
// without gaps, and none crosses the end of its paragraph.

import type { BidiText } from './bidi.ts';
import { emojiEnd } from './emoji-sequences.ts';
import { isPlainText } from './plain-text.ts';
import { scriptRuns } from './script-runs.ts';

export interface TextRun {
  /** UTF-16 offsets into the text. */
  readonly start: number;
  readonly end: number;
  /** Embedding level; odd is right to left. */
  readonly level: number;
  /** ISO 15924 tag as HarfBuzz takes it; `Zyyy` for emoji, and where the paragraph has no letters to decide it. */
  readonly script: string;
  /** True where the characters have emoji presentation (UTS #51): prefer a colour face. */
  readonly emoji: boolean;
  /** True where the letters of a vertical line stand upright; false in all other text. */
  readonly upright: boolean;
  /** Index into the spans that the caller gave. */
  readonly span: number;
}

/**
 * Cuts a text into runs by level, script (UAX #24), emoji presentation (UTS #51), orientation and the caller's spans.
 *
 * @param upright nonzero for each unit that stands upright in a vertical line
 * @param spanStarts the UTF-16 offset at which each span starts, ascending, the first 0; equal offsets are empty spans
 */
export function itemize(
  { text, levels, paragraphs, isLeftToRight }: BidiText,
  spanStarts: readonly number[],
  upright: Uint8Array,
): TextRun[] {
  if (isLeftToRight && isPlainText(text) && !upright.includes(1)) return plainRuns(text, spanStarts);
  const runs: TextRun[] = [];
  let span = 0;
  for (const paragraph of paragraphs) {
    const scripts = scriptRuns(text, paragraph.start, paragraph.end);
    let scriptIndex = 0;
    let levelEnd = paragraph.start;
    let uprightEnd = paragraph.start;
    let emoji: Stretch = { start: paragraph.start, end: paragraph.start };

    for (let start = paragraph.start, end = start; start < paragraph.end; start = end) {
      while (scripts[scriptIndex]!.end <= start) scriptIndex++;
      while ((spanStarts[span + 1] ?? Infinity) <= start) span++;
      if (levelEnd <= start) levelEnd = endOfEqual(levels, start, paragraph.end);
      if (uprightEnd <= start) uprightEnd = endOfEqual(upright, start, paragraph.end);
      if (emoji.end <= start) emoji = nextEmoji(text, start, paragraph.end);

      const isEmoji = emoji.start <= start;
      const script = scripts[scriptIndex]!;
      end = Math.min(levelEnd, uprightEnd, spanStarts[span + 1] ?? Infinity, isEmoji ? emoji.end : emoji.start);
      if (!isEmoji) end = Math.min(end, script.end);
      runs.push({
        start,
        end,
        level: levels[start]!,
        script: isEmoji ? 'Zyyy' : script.script,
        emoji: isEmoji,
        upright: upright[start] === 1,
        span,
      });
    }
  }
  return runs;
}

/** Plain text from left to right: one run per span. */
function plainRuns(text: string, spanStarts: readonly number[]): TextRun[] {
  const script = /[A-Za-z]/.test(text) ? 'Latn' : 'Zyyy';
  const runs: TextRun[] = [];
  for (const [span, start] of spanStarts.entries()) {
    const end = Math.min(spanStarts[span + 1] ?? text.length, text.length);
    if (start < end) runs.push({ start, end, level: 0, script, emoji: false, upright: false, span });
  }
  return runs;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function endOfEqual(values: Uint8Array, start: number, limit: number): number {
  let end = start + 1;
  while (end < limit && values[end] === values[start]) end++;
  return end;
}

/** The first stretch of emoji at or after `start`; empty and at `limit` where there is none. */
function nextEmoji(text: string, start: number, limit: number): Stretch {
  for (let at = start; at < limit; at++) {
    let end = emojiEnd(text, at, limit);
    if (end === at) continue;
    for (let next = end; end < limit; end = next) {
      next = emojiEnd(text, end, limit);
      if (next === end) break;
    }
    return { start: at, end };
  }
  return { start: limit, end: limit };
}
