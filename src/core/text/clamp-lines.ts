// Limits the lines of a text to those that are shown, by `maxLines` and by the height of the box.
//
// `maxLines` applies whatever `overflow` is. `overflow` decides whether a cut shows an ellipsis, and what a fixed
// height does: `visible` nothing, `clip` drops lines entirely below it, `ellipsis` drops lines that do not fit
// entirely.

import { type BrokenLine, TOLERANCE } from './break-lines.ts';
import { ellipsize } from './ellipsis.ts';
import { type LineMetrics, lineMetrics } from './line-metrics.ts';
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
