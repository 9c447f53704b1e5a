// Text → where its grapheme clusters begin (UAX #29, extended): the places at which text may be cut, spaced or measured.
//
// The engine's own segmentation, so its Unicode version is the engine's and may be newer than that of our tables.

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** UTF-16 offsets of all cluster boundaries, ascending, both ends included; `[0]` for empty text. */
export function graphemeBoundaries(text: string): number[] {
  const boundaries: number[] = [];
  for (const { index } of segmenter.segment(text)) boundaries.push(index);
  boundaries.push(text.length);
  return boundaries;
}
