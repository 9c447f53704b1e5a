// Finds grapheme cluster boundaries (UAX #29, extended), the places at which text may be cut, spaced or measured.
//
// It uses the engine's segmentation, whose version of Unicode may be newer than our tables. That takes 0.5 µs a
// character, so only the stretches that need it are segmented.

import { lazily } from '../lazily.ts';

/** Clusters are the same in every language; a fixed one makes the machine's own irrelevant. */
const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/**
 * Stretches of UTF-16 units that may form clusters of several. All others are clusters of their own beside each other:
 * letters and signs of Latin, Greek, Cyrillic, Hebrew, Arabic, Chinese and Japanese, punctuation, and Hangul syllables.
 */
const COMPLEX =
  /[^ -\u02ff\u0370-\u0482\u048a-\u0590\u05d0-\u05ea\u061b-\u064a\u0671-\u06d5\u1e00-\u200a\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3096\u309b-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff9d]+/g;

/** Nonzero at each UTF-16 offset where a cluster begins, and at the end. */
export function graphemeStarts(text: string): Uint8Array {
  const starts = new Uint8Array(text.length + 1).fill(1);
  for (const { 0: stretch, index } of text.matchAll(COMPLEX)) {
    // Whether there is a boundary depends on such a stretch and the character on either side of it, and on no other.
    const from = Math.max(0, index - 1);
    const to = Math.min(text.length, index + stretch.length + 1);
    starts.fill(0, from + 1, to);
    for (const { index: at } of segmenter().segment(text.slice(from, to))) if (at > 0) starts[from + at] = 1;
  }
  return starts;
}

/** UTF-16 offsets of all cluster boundaries, ascending, both ends included; `[0]` for empty text. */
export function graphemeBoundaries(text: string): number[] {
  const boundaries: number[] = [];
  for (const [offset, isStart] of graphemeStarts(text).entries()) if (isStart) boundaries.push(offset);
  return boundaries;
}
