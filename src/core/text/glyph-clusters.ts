// Finds the glyphs of a shaped run that belong to a stretch of its text.
//
// HarfBuzz keeps clusters monotone: ascending along an ltr run, descending along an rtl one.

import type { ShapedRun } from './shape.ts';

/**
 * The index of the first glyph, in drawing order, whose cluster starts in `start`–`end`; such glyphs are contiguous.
 */
export function firstGlyph(run: ShapedRun, start: number, end: number): number {
  return run.level % 2 === 1 ? firstBelow(run, end) : firstFrom(run, start);
}

/** The index after the last glyph whose cluster starts in `start`–`end`. */
export function glyphsEnd(run: ShapedRun, start: number, end: number): number {
  return run.level % 2 === 1 ? firstBelow(run, start) : firstFrom(run, end);
}

/** The start of the first cluster at or after an offset; the run's end if there is none. */
export function clusterFrom(run: ShapedRun, offset: number): number {
  const from = firstGlyph(run, offset, run.end);
  const to = glyphsEnd(run, offset, run.end);
  return from < to ? run.start + (run.glyphs[run.level % 2 === 1 ? to - 1 : from]?.cluster ?? 0) : run.end;
}

/** The start of the cluster that contains an offset. */
export function clusterAt(run: ShapedRun, offset: number): number {
  const from = firstGlyph(run, run.start, offset + 1);
  const to = glyphsEnd(run, run.start, offset + 1);
  return run.start + (from < to ? (run.glyphs[run.level % 2 === 1 ? from : to - 1]?.cluster ?? 0) : 0);
}

/** With ascending clusters: the index of the first glyph at or after an offset. */
function firstFrom({ glyphs, start }: ShapedRun, offset: number): number {
  const sought = offset - start;
  let low = 0;
  let high = glyphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((glyphs[middle]?.cluster ?? 0) >= sought) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** With descending clusters: the index of the first glyph before an offset. */
function firstBelow({ glyphs, start }: ShapedRun, offset: number): number {
  const sought = offset - start;
  let low = 0;
  let high = glyphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((glyphs[middle]?.cluster ?? 0) < sought) high = middle;
    else low = middle + 1;
  }
  return low;
}
