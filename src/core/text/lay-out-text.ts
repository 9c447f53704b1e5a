// A text node's spans in, a Paragraph out: the order of the text steps.
//
// bidi → itemize → font fallback → shape → line break → fit and clamp → align. Each step is a file of that name.

import { type BrokenLine, breakLines } from './break-lines.ts';
import { lineMetrics } from './line-metrics.ts';
import type { Line, Paragraph } from './paragraph.ts';
import { type PlacedRun, placeRuns, spanAt } from './place-runs.ts';
import type { PreparedText } from './prepare-text.ts';

export { type PreparedText, prepareText } from './prepare-text.ts';

/**
 * Breaks, fits, clamps and aligns.
 *
 * @param width the box to wrap and align in, px; null = as wide as the longest paragraph (CSS max-content)
 * @param height what `autoFit`, `ellipsis` and `overflows` measure against, px; null = unlimited
 */
export function layOutText(text: PreparedText, width: number | null, height: number | null): Paragraph {
  const scale = 1;
  const broken = breakLines(text, width === null ? Infinity : width / scale);
  const box = width ?? Math.max(...broken.map((line) => line.width * scale));
  const lines: Line[] = [];
  let top = 0;
  for (const line of broken) {
    const laid = layOutLine(text, line, top, box, scale);
    lines.push(laid);
    top += laid.box.height;
  }
  const size = { width: Math.max(...lines.map((line) => line.box.width)), height: top };
  return {
    lines,
    size,
    scale,
    overflows: size.width > box + 0.01 || (height !== null && top > height + 0.01),
    missing: text.missing,
  };
}

function layOutLine(text: PreparedText, line: BrokenLine, top: number, box: number, scale: number): Line {
  const first = spanAt(text, line.start);
  const last = line.shownEnd > line.start ? spanAt(text, line.shownEnd - 1) : first;
  const metrics = lineMetrics(text.spans.slice(first, last + 1), scale);
  const placed = placeRuns(text, line.start, line.shownEnd, scale);
  const width = line.width * scale;
  const isRtl = text.bidi.paragraphs.find((paragraph) => line.start < paragraph.end)?.level === 1;
  const { align } = text.node;
  const free = box - width;
  const toRight = align === 'right' || (align === 'end' ? !isRtl : isRtl && (align === 'start' || align === 'justify'));
  const x = align === 'center' ? free / 2 : toRight ? free : 0;
  const baseline = top + metrics.baseline;
  return {
    runs: placed.map((run: PlacedRun) => ({ run: run.run, span: run.span, x: x + run.x, baseline })),
    box: { x, y: top, width, height: metrics.height },
    baseline,
    ascent: metrics.ascent,
    descent: metrics.descent,
    start: line.start,
    end: line.end,
    ellipsized: false,
  };
}
