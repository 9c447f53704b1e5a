// Which glyphs of a shaped run stand for which stretch of its text.
//
// HarfBuzz keeps clusters monotone: they only rise along an ltr run, and only fall along an rtl one.

import type { ShapedRun } from './shape.ts';

/** The glyphs of the clusters that start in `start`–`end`: from the first index up to, but not with, the second. */
export function glyphRange({ glyphs, level }: ShapedRun, start: number, end: number): [number, number] {
  const firstWhere = (holds: (cluster: number) => boolean) => {
    let low = 0;
    let high = glyphs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(glyphs[middle]?.cluster ?? 0)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return level % 2 === 1
    ? [firstWhere((cluster) => cluster < end), firstWhere((cluster) => cluster < start)]
    : [firstWhere((cluster) => cluster >= start), firstWhere((cluster) => cluster >= end)];
}

/** Where the first cluster at or behind an offset starts; the run's end where none does. */
export function clusterFrom(run: ShapedRun, offset: number): number {
  const [from, to] = glyphRange(run, offset, run.end);
  return from < to ? (run.glyphs[run.level % 2 === 1 ? to - 1 : from]?.cluster ?? run.end) : run.end;
}

/** Where the cluster that holds an offset starts. */
export function clusterAt(run: ShapedRun, offset: number): number {
  const [from, to] = glyphRange(run, run.start, offset + 1);
  return from < to ? (run.glyphs[run.level % 2 === 1 ? from : to - 1]?.cluster ?? run.start) : run.start;
}
