// Text in vertical lines → which of its characters stand upright (UAX #50, CSS Writing Modes 4 §5.1).
//
// A grapheme cluster stands as its first character does, so that marks stay on their letters. What is not upright is
// turned a quarter clockwise with its line.

import { VERTICAL_ORIENTATION } from './unicode-classes.ts';
import { recordOf, VERTICAL_ORIENTATION_OF } from './unicode-data.ts';

/** How letters stand in a line: none upright, as each character asks, or all. */
export type LineOrientation = 'turned' | 'mixed' | 'upright';

const ENCLOSING_KEYCAP = '\u20e3';
/** Turned in 15.0; as browsers and newer data have it, forms for vertical lines are used where a face has them. */
const CURLY_QUOTES: readonly number[] = [0x2018, 0x2019, 0x201c, 0x201d];

const NONE = new Uint8Array(0);

/**
 * Nonzero for each unit that stands upright; empty where none does in a line that is turned.
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

/** Whether a character is turned where its face has no form of it for vertical lines. */
export function needsVerticalForm(codePoint: number): boolean {
  return orientationOf(codePoint) === VERTICAL_ORIENTATION.Tr;
}

function orientationOf(codePoint: number): number {
  if (CURLY_QUOTES.includes(codePoint)) return VERTICAL_ORIENTATION.Tr;
  return VERTICAL_ORIENTATION_OF[recordOf(codePoint)] ?? VERTICAL_ORIENTATION.R;
}
