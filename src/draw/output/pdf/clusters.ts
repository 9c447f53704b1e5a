// Groups the glyphs of a run into clusters: which glyphs together show which piece of the text.
//
// Follows HarfBuzz's cluster values: a cluster's text extends to the next higher value in the run. Every character of
// the run's text belongs to exactly one cluster, so no text is lost or repeated.

import type { Glyph, GlyphRun } from '#core/text/glyph-run.ts';

export interface Cluster {
  /** In drawing order, at least one. */
  readonly glyphs: readonly Glyph[];
  /** The text that they show, in logical order; '' when an earlier part of the same cluster already has it. */
  readonly text: string;
}

/** The state of a character. */
const INSIDE = 0;
const STARTS_CLUSTER = 1;
const SAID = 2;

/** In drawing order: left to right. */
export function clustersOf({ glyphs, text }: Pick<GlyphRun, 'glyphs' | 'text'>): readonly Cluster[] {
  const characters = new Uint8Array(text.length + 1);
  let first = text.length;
  for (const { cluster } of glyphs) {
    characters[cluster] = STARTS_CLUSTER;
    first = Math.min(first, cluster);
  }
  const textAt = (start: number): string => {
    if (characters[start] === SAID) return '';
    characters[start] = SAID;
    let end = start + 1;
    while (end < text.length && characters[end] === INSIDE) end += 1;
    // Characters before the first cluster have no glyph of their own (a direction mark, for example), so they are added
    // to it.
    return text.slice(start === first ? 0 : start, end);
  };

  const clusters: Cluster[] = [];
  let at = 0;
  while (at < glyphs.length) {
    const start = glyphs[at]?.cluster ?? 0;
    let end = at + 1;
    while (glyphs[end]?.cluster === start) end += 1;
    clusters.push({ glyphs: glyphs.slice(at, end), text: textAt(start) });
    at = end;
  }
  return clusters;
}
