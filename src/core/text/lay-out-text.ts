// A text node's spans in, a Paragraph out: the order of the text steps.
//
// bidi → itemize → font fallback → shape → line break → fit and clamp → align. Each step is a file of that name.

import { alignLine } from './align-line.ts';
import { TOLERANCE } from './break-lines.ts';
import { clampLines, type ShownLine } from './clamp-lines.ts';
import { fitScale } from './fit-text.ts';
import type { Line, Paragraph } from './paragraph.ts';
import { placeRuns } from './place-runs.ts';
import type { PreparedText } from './prepare-text.ts';

export { longestWord } from './break-lines.ts';
export { type PreparedText, prepareText } from './prepare-text.ts';

/**
 * Breaks, fits, clamps and aligns.
 *
 * @param width the box to wrap and align in, px; null = as wide as the longest paragraph (CSS max-content)
 * @param height what `autoFit`, `ellipsis` and `overflows` measure against, px; null = unlimited
 */
export function layOutText(text: PreparedText, width: number | null, height: number | null): Paragraph {
  const limits = [width ?? Infinity, height ?? Infinity] as const;
  const scale = fitScale(text, ...limits);
  const shown = clampLines(text, ...limits, scale);

  const widest = shown.lines.reduce((most, line) => Math.max(most, line.width * scale), 0);
  const box = width ?? widest;
  const lines: Line[] = [];
  let top = 0;
  for (const line of shown.lines) {
    lines.push(layOutLine(text, line, top, box, scale));
    top += line.metrics.height;
  }
  const overflows = shown.cut || widest > limits[0] + TOLERANCE || top > limits[1] + TOLERANCE;
  const size = { width: lines.reduce((most, line) => Math.max(most, line.box.width), 0), height: top };
  return { lines, size, scale, overflows, missing: text.missing };
}

function layOutLine(text: PreparedText, line: ShownLine, top: number, box: number, scale: number): Line {
  const { metrics, start, end, inserted } = line;
  const { x, expansion } = alignLine(text, line, box, line.width * scale);
  const placed = placeRuns(text, line, scale, expansion);
  const baseline = top + metrics.baseline;
  return {
    runs: placed.runs.map(({ run, span, x: left }) => {
      const { rise = 0, box = null } = text.spans[span] ?? {};
      const size = box && { width: box.width * scale, height: box.height * scale };
      return { run, span, x: x + left, baseline: baseline - rise * scale, box: size };
    }),
    box: { x, y: top, width: placed.width, height: metrics.height },
    baseline,
    ascent: metrics.ascent,
    descent: metrics.descent,
    start,
    end,
    ellipsized: inserted?.kind === 'ellipsis',
  };
}
