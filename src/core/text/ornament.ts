// Tells ornaments from words: what may cross the canvas's edge by design, as a large quotation mark does.

import { graphemeBoundaries } from './graphemes.ts';

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a text is a sign or two, without a letter or a digit. */
export function isOrnament(text: string): boolean {
  return !LETTER.test(text) && graphemeBoundaries(text.trim()).length <= 3;
}
