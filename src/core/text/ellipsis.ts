// Adds an ellipsis to a line after which text is left out, and fills the line with as much text as still fits.
//
// The cut is between grapheme clusters, not between words.

import { type BrokenLine, indentAt } from './break-lines.ts';
import { indexAt } from './index-at.ts';
import { ellipsisAt, type InsertedText } from './inserted-text.ts';
import { BREAK_MANDATORY } from './line-break.ts';
import { textWidth } from './measure-text.ts';
import type { PreparedText } from './prepare-text.ts';

/** @param limit px at scale 1; if it is narrower than the ellipsis, the line is the ellipsis alone */
export function ellipsize(text: PreparedText, line: BrokenLine, limit: number): BrokenLine {
  const { start } = line;
  const { clusters, edges, trimmed } = text;
  const indent = indentAt(text, start);
  let end = start + 1;
  while (end < text.text.length && text.breaks[end] !== BREAK_MANDATORY) end++;

  // `edges` estimates how much fits; from there backwards, each cut that the estimate accepts is measured.
  const reach = (offset: number) => indent + (edges[offset] ?? 0) - (edges[start] ?? 0);
  let cut = start;
  for (let at = start; at <= end && reach(at) <= limit; at++) if (clusters[at]) cut = at;
  let ellipsis: InsertedText | null = null;
  let span = -1;
  for (;;) {
    const shownEnd = Math.max(start, trimmed[cut] ?? cut);
    const last = Math.max(start, shownEnd - 1);
    if (!ellipsis || span !== indexAt(text.spans, last)) ellipsis = ellipsisAt(text, last);
    span = indexAt(text.spans, last);
    if (shownEnd === start || reach(shownEnd) + ellipsis.width <= limit) {
      const width = indent + textWidth(text, start, shownEnd) + ellipsis.width;
      if (shownEnd === start || width <= limit) {
        return { ...line, end: shownEnd, shownEnd, width, inserted: ellipsis, forced: true };
      }
    }
    do cut--;
    while (cut > start && !clusters[cut]);
  }
}
