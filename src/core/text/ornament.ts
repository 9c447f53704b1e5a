// Recognises ornaments, such as a large quotation mark, which may cross the canvas's edge by design.

import { graphemeBoundaries } from './graphemes.ts';

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a text is at most three graphemes without a letter or a digit. */
export function isOrnament(text: string): boolean {
  return !LETTER.test(text) && graphemeBoundaries(text.trim()).length <= 3;
}
