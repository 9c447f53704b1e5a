// Finds grapheme cluster boundaries (UAX #29, extended), the places at which text may be cut, spaced or measured.
//
// It uses the engine's segmentation, whose version of Unicode may be newer than our tables.

let segmenter: Intl.Segmenter | null = null;

/** Latin letters and signs: without controls and marks, each is a cluster. */
const PLAIN = /^[\x20-\u02ff]*$/;

/** Nonzero at each UTF-16 offset where a cluster begins, and at the end. */
export function graphemeStarts(text: string): Uint8Array {
  const starts = new Uint8Array(text.length + 1);
  if (PLAIN.test(text)) return starts.fill(1);
  for (const boundary of graphemeBoundaries(text)) starts[boundary] = 1;
  return starts;
}

/** UTF-16 offsets of all cluster boundaries, ascending, both ends included; `[0]` for empty text. */
export function graphemeBoundaries(text: string): number[] {
  if (PLAIN.test(text)) return Array.from({ length: text.length + 1 }, (_, offset) => offset);
  // Clusters are the same in every language; a fixed one makes the machine's own irrelevant.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const boundaries = Array.from(segmenter.segment(text), ({ index }) => index);
  boundaries.push(text.length);
  return boundaries;
}
