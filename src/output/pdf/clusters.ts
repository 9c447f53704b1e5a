// A glyph run in, its clusters out: which glyphs together show which piece of the text.
//
// Follows HarfBuzz's cluster values: a cluster's text reaches to the next higher value in the run. Every character of
// the run's text belongs to exactly one cluster, so nothing is lost and nothing is said twice.

import type { Glyph, GlyphRun } from '#core/text/glyph-run.ts';

export interface Cluster {
  /** In drawing order, at least one. */
  readonly glyphs: readonly Glyph[];
  /** The text that they show, in logical order; '' when an earlier part of the same cluster already said it. */
  readonly text: string;
}

/** In drawing order: left to right. */
export function clustersOf(run: GlyphRun): readonly Cluster[] {
  const starts = [...new Set(run.glyphs.map((glyph) => glyph.cluster))].sort((a, b) => a - b);
  const texts = new Map<number, string>();
  starts.forEach((start, i) => {
    // Characters before the first cluster have no glyph of their own (a mark of direction, say); they go with it.
    texts.set(start, run.text.slice(i === 0 ? 0 : start, starts[i + 1] ?? run.text.length));
  });

  const clusters: Cluster[] = [];
  let at = 0;
  while (at < run.glyphs.length) {
    const start = run.glyphs[at]?.cluster ?? 0;
    let end = at + 1;
    while (run.glyphs[end]?.cluster === start) end += 1;
    clusters.push({ glyphs: run.glyphs.slice(at, end), text: texts.get(start) ?? '' });
    texts.delete(start);
    at = end;
  }
  return clusters;
}
