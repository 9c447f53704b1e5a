// Finds the characters that are upright in vertical lines (UAX #50, CSS Writing Modes 4 §5.1).
//
// A grapheme cluster has the orientation of its first character, so that marks stay on their letters. Characters that
// are not upright are rotated a quarter turn clockwise with their line.

import { VERTICAL_ORIENTATION } from './unicode-classes.ts';
import { recordOf, VERTICAL_ORIENTATION_OF } from './unicode-data.ts';

/** Which letters are upright in a line: none, depending on the character, or all. */
export type LineOrientation = 'turned' | 'mixed' | 'upright';

const ENCLOSING_KEYCAP = '\u20e3';
/** Rotated in Unicode 15.0; as in browsers and newer data, vertical forms are used where a face has them. */
const CURLY_QUOTES: readonly number[] = [0x2018, 0x2019, 0x201c, 0x201d];

const NONE = new Uint8Array(0);

/**
 * Nonzero for each unit that is upright; empty for orientation `turned`, in which none is.
 *
 * @param clusters nonzero at each UTF-16 offset where a grapheme cluster starts
 */
export function uprightUnits(text: string, orientation: LineOrientation, clusters: Uint8Array): Uint8Array {
  if (orientation === 'turned') return NONE;
  const upright = new Uint8Array(text.length);
  if (orientation === 'upright') return upright.fill(1);
  for (let start = 0, end = 0; start < text.length; start = end) {
    do end++;
    while (end < text.length && !clusters[end]);
    const own = orientationOf(text.codePointAt(start) ?? 0);
    const isKeycap = end - start > 1 && text.slice(start, end).includes(ENCLOSING_KEYCAP);
    if (own !== VERTICAL_ORIENTATION.R || isKeycap) upright.fill(1, start, end);
  }
  return upright;
}

/** Whether a character is rotated if its face has no vertical form of it. */
export function needsVerticalForm(codePoint: number): boolean {
  return orientationOf(codePoint) === VERTICAL_ORIENTATION.Tr;
}

function orientationOf(codePoint: number): number {
  if (CURLY_QUOTES.includes(codePoint)) return VERTICAL_ORIENTATION.Tr;
  return VERTICAL_ORIENTATION_OF[recordOf(codePoint)] ?? VERTICAL_ORIENTATION.R;
}
