// Limits the lines of a text to those that are shown, by `maxLines` and by the height of the box.
//
// `maxLines` applies whatever `overflow` is. `overflow` decides whether a cut shows an ellipsis, and what a fixed
// height does: `visible` nothing, `clip` drops lines entirely below it, `ellipsis` drops lines that do not fit
// entirely.

import { type BrokenLine, indentAt, TOLERANCE } from './break-lines.ts';
import { indexAt } from './index-at.ts';
import { ellipsisAt, type InsertedText } from './inserted-text.ts';
import { BREAK_MANDATORY } from './line-break.ts';
import { type LineMetrics, lineMetrics } from './line-metrics.ts';
import { textWidth } from './measure-text.ts';
import type { PreparedText } from './prepare-text.ts';
import { wrapText } from './wrap-text.ts';

export interface ShownLine extends BrokenLine {
  readonly metrics: LineMetrics;
}

export interface ShownLines {
  /** At least one. */
  readonly lines: readonly ShownLine[];
  /** Whether visible text follows after the last line. */
  readonly cut: boolean;
}

/** @param width @param height px, Infinity where there is no limit */
export function clampLines(text: PreparedText, width: number, height: number, scale: number): ShownLines {
  const { overflow, maxLines } = text.node;
  const limit = width / scale;
  const measured = (line: BrokenLine): ShownLine => ({ ...line, metrics: lineMetrics(text, line, scale) });

  const lines: ShownLine[] = [];
  let bottom = 0;
  wrapText(text, limit, maxLines ?? Infinity, (line) => {
    const shown = measured(line);
    const mustFit = overflow === 'ellipsis' ? bottom + shown.metrics.height : bottom;
    if (overflow !== 'visible' && lines.length > 0 && mustFit > height + TOLERANCE) return false;
    bottom += shown.metrics.height;
    lines.push(shown);
    return true;
  });

  const last = lines.at(-1);
  const cut = last !== undefined && (text.trimmed[text.text.length] ?? 0) > last.end;
  if (cut && overflow === 'ellipsis') lines.splice(-1, 1, measured(ellipsize(text, last, limit + TOLERANCE)));
  return { lines, cut };
}

/**
 * Adds an ellipsis to a line after which text is left out, and fills the line with as much text as still fits. The cut
 * is between grapheme clusters, not between words.
 *
 * @param limit px at scale 1; if it is narrower than the ellipsis, the line is the ellipsis alone
 */
function ellipsize(text: PreparedText, line: BrokenLine, limit: number): BrokenLine {
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
