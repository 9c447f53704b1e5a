// Which glyphs of a shaped run stand for which stretch of its text.
//
// HarfBuzz keeps clusters monotone: they only rise along an ltr run, and only fall along an rtl one.

import type { ShapedRun } from './shape.ts';

/** The first glyph, in drawing order, of those whose clusters start in `start`–`end`; those follow one another. */
export function firstGlyph(run: ShapedRun, start: number, end: number): number {
  return run.level % 2 === 1 ? firstBelow(run, end) : firstFrom(run, start);
}

/** Behind the last glyph of the clusters that start in `start`–`end`. */
export function glyphsEnd(run: ShapedRun, start: number, end: number): number {
  return run.level % 2 === 1 ? firstBelow(run, start) : firstFrom(run, end);
}

/** Where the first cluster at or behind an offset starts; the run's end where none does. */
export function clusterFrom(run: ShapedRun, offset: number): number {
  const from = firstGlyph(run, offset, run.end);
  const to = glyphsEnd(run, offset, run.end);
  return from < to ? (run.glyphs[run.level % 2 === 1 ? to - 1 : from]?.cluster ?? run.end) : run.end;
}

/** Where the cluster that holds an offset starts. */
export function clusterAt(run: ShapedRun, offset: number): number {
  const from = firstGlyph(run, run.start, offset + 1);
  const to = glyphsEnd(run, run.start, offset + 1);
  return from < to ? (run.glyphs[run.level % 2 === 1 ? from : to - 1]?.cluster ?? run.start) : run.start;
}

/** Of rising clusters, the first glyph of those at or behind an offset. */
function firstFrom({ glyphs }: ShapedRun, offset: number): number {
  let low = 0;
  let high = glyphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((glyphs[middle]?.cluster ?? 0) >= offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Of falling clusters, the first glyph of those before an offset. */
function firstBelow({ glyphs }: ShapedRun, offset: number): number {
  let low = 0;
  let high = glyphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((glyphs[middle]?.cluster ?? 0) < offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
