// Lays out the spans of a text node as a Paragraph, by running the text steps in order.
//
// bidi → itemize → font fallback → shape → line break → fit and clamp → align. Each step is in the file of that name.

import { alignLine } from './align-line.ts';
import { indentAt, lineTo, TOLERANCE } from './break-lines.ts';
import { clampLines, type ShownLine } from './clamp-lines.ts';
import { fitScale } from './fit-text.ts';
import { belowCentre } from './line-metrics.ts';
import type { Line, Paragraph } from './paragraph.ts';
import { type PlacedRun, placeRuns } from './place-runs.ts';
import type { PreparedText } from './prepare-text.ts';

export { isNumber, longestWord } from './break-lines.ts';
export { type PreparedText, prepareText } from './prepare-text.ts';

/**
 * Breaks, fits, clamps and aligns.
 *
 * @param width of the box along the lines, for wrapping and alignment, px; null = as wide as the longest paragraph (CSS
 *   max-content)
 * @param height of the box across the lines, for `autoFit`, `ellipsis` and `overflows`, px; null = unlimited
 */
export function layOutText(text: PreparedText, width: number | null, height: number | null): Paragraph {
  const mostWidth = width ?? Infinity;
  const mostHeight = height ?? Infinity;
  const scale = fitScale(text, mostWidth, mostHeight);
  const shown = clampLines(text, mostWidth, mostHeight, scale);

  const widest = shown.lines.reduce((most, line) => Math.max(most, line.width * scale), 0);
  const box = width ?? widest;
  const total = shown.lines.reduce((sum, line) => sum + line.metrics.height, 0);
  const lines: Line[] = [];
  let before = 0;
  for (const line of shown.lines) {
    const { height } = line.metrics;
    // Vertical lines have their upper side on the right, so lines that progress to the right are stacked upwards.
    const top = text.node.writingMode === 'vertical-lr' ? total - before - height : before;
    lines.push(layOutLine(text, line, top, box, scale));
    before += height;
  }
  const overflows = shown.cut || widest > mostWidth + TOLERANCE || total > mostHeight + TOLERANCE;
  const inked = lines.reduce((most, { box, start }) => Math.max(most, box.width + indentAt(text, start) * scale), 0);
  const size = { width: inked, height: total };
  return { lines, size, scale, overflows, missing: text.missing };
}

function layOutLine(text: PreparedText, line: ShownLine, top: number, box: number, scale: number): Line {
  const { metrics, start, end, inserted } = line;
  const { x: left, expansion, isRtl } = alignLine(text, line, box, line.width * scale);
  const x = isRtl ? left : left + indentAt(text, start) * scale;
  const placed = placeRuns(text, line, scale, expansion);
  const baseline = top + metrics.baseline;
  return {
    runs: placed.runs.map((placedRun) => {
      const { run, span } = placedRun;
      const box = span === null ? null : text.spans[span]?.box;
      const size = box ? { width: box.width * scale, height: box.height * scale } : null;
      return { run, span, x: x + placedRun.x, baseline: baseline - runRise(text, placedRun, scale), box: size };
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

/**
 * The layout of a text in a box if it all fits on one line, derived from the unlimited layout; otherwise null.
 *
 * @param free the text laid out without limits
 * @param width of the box along the lines, px
 */
export function inRoomyBox(text: PreparedText, free: Paragraph, width: number): Paragraph | null {
  const [only] = free.lines;
  const isOneLine = free.lines.length === 1 && only?.end === text.text.length && !free.overflows && free.scale === 1;
  if (text.node.autoFitMax !== null) return null;
  // With negative spacing, the start of a line may be longer than the whole line.
  if (!only || !isOneLine || text.isSpaced) return null;
  const line = lineTo(text, 0, text.text.length);
  if (line.width > width + TOLERANCE) return null;
  const { x } = alignLine(text, line, width, line.width);
  if (x === 0) return free;
  const runs = only.runs.map((run) => ({ ...run, x: x + run.x }));
  return { ...free, lines: [{ ...only, runs, box: { ...only.box, x: x + only.box.x } }] };
}

/** How far above the line's baseline a run's origin lies, px. */
function runRise(text: PreparedText, { run, span }: PlacedRun, scale: number): number {
  const prepared = span === null ? null : text.spans[span];
  const rise = (prepared?.rise ?? 0) * scale;
  if (text.orientation === 'turned' || prepared?.box) return rise;
  // Letters are on the alphabetic baseline of the whole span; upright ones are centred about their own middle.
  const metrics = prepared?.metrics ?? text.strut;
  const { fontSize } = (span === null ? null : text.node.spans[span]?.style) ?? text.node.strut;
  const alphabetic = rise - belowCentre(metrics, fontSize * scale);
  const isUpright = run.direction === 'ttb' || run.direction === 'btt';
  return isUpright
    ? alphabetic + belowCentre(metrics, (prepared?.style ?? text.node.strut).fontSize * scale)
    : alphabetic;
}
