// Reads from a PDF, with poppler, how large its sheets are and which words stand where.

import { placedWordsByPage } from '../../../golden/poppler.ts';

const round = (value: number) => Math.round(value * 10) / 10;

/** `300x200: a1 20 24, a2 20 44` of each sheet: px from the top left, the words from top to bottom. */
export function wordsOnSheets(pdf: Uint8Array): string[] {
  return placedWordsByPage(pdf).map(({ width, height, words }) => {
    const sorted = words.toSorted((a, b) => Math.round(a.y) - Math.round(b.y) || a.x - b.x);
    const shown = sorted.map(({ text, x, y }) => `${text} ${round(x)} ${round(y)}`).join(', ');
    return `${Math.round(width)}x${Math.round(height)}: ${shown}`;
  });
}
