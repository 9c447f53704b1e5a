// Tests that the fast paths for plain text give the same results as the full algorithms. Appending a character that is
// not plain forces the full algorithm.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeBidi } from '#core/text/bidi.ts';
import { FontFallback } from '#core/text/font-fallback.ts';
import { graphemeBoundaries, graphemeStarts } from '#core/text/graphemes.ts';
import { itemize } from '#core/text/itemize.ts';
import { inRoomyBox, layOutText, prepareText } from '#core/text/lay-out-text.ts';
import { breakOpportunities } from '#core/text/line-break.ts';
import { isPlainText, PLAIN_CHARACTERS } from '#core/text/plain-text.ts';
import { fontSet, match, style, textNode } from './faces.ts';

const plain = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aZ09  -?([{$%"\'/.'),
    fc.constantFrom(...PLAIN_CHARACTERS.map((code) => String.fromCharCode(code))),
  ),
  maxLength: 40,
});
/** Appended to force the full algorithm: every text face has the ellipsis, and its script is Common. */
const LONG_WAY = '\u2026';

function same(check: (text: string) => void): void {
  fc.assert(fc.property(plain, check), { numRuns: 2_000, seed: 20_261_121 });
}

test('plain text is the space and visible ASCII', () => {
  expect(isPlainText('a ~')).toBe(true);
  for (const text of ['\n', '\t', '\u007f', 'é', LONG_WAY]) expect(isPlainText(text)).toBe(false);
});

test('bidi levels', () =>
  same((text) => {
    // Hebrew requires the full algorithm and does not change the levels of the text before it.
    const long = analyzeBidi(`${text}\u05d0`, 'ltr');
    for (const direction of ['ltr', 'auto'] as const) {
      const { levels, paragraphs, isLeftToRight } = analyzeBidi(text, direction);
      expect([...levels]).toEqual([...long.levels.slice(0, text.length)]);
      expect(paragraphs).toEqual([{ start: 0, end: text.length, level: 0 }]);
      expect(isLeftToRight).toBe(true);
    }
  }));

test('grapheme clusters', () =>
  same((text) => {
    const starts = new Uint8Array(text.length + 1);
    for (const boundary of graphemeBoundaries(text)) starts[boundary] = 1;
    expect(graphemeStarts(text)).toEqual(starts);
  }));

test('runs', () =>
  same((text) => {
    const runsOf = (shown: string, starts: readonly number[]) =>
      itemize(analyzeBidi(shown, 'ltr'), starts, new Uint8Array(shown.length));
    const { length } = text;
    const starts = [0, length >> 2, length >> 1];
    // In a span of its own, the ellipsis gets its own run.
    expect(runsOf(text, starts)).toEqual(runsOf(text + LONG_WAY, [...starts, length]).slice(0, -1));
  }));

test('faces', () =>
  same((text) => {
    const facesOf = (shown: string) => {
      const fallback = new FontFallback([match('inter'), match('emoji')]);
      return fallback.choose(shown, 0, text.length, new Uint8Array(shown.length + 1).fill(1), false);
    };
    fc.pre(text !== '');
    expect(facesOf(text)).toMatchObject(facesOf(text + LONG_WAY).map(({ start, end }) => ({ start, end })));
    expect(new Set(facesOf(text).map((run) => run.match.face.key))).toEqual(new Set(['inter']));
  }));

test('line breaks', () =>
  same((text) => {
    const breaksIn = (shown: string, wordBreak: 'normal' | 'keep-all') =>
      [
        ...breakOpportunities(shown, {
          strictness: 'auto',
          wordBreak,
          locale: null,
          dictionary: true,
          profile: 'browser',
        }),
      ].slice(0, text.length);
    for (const wordBreak of ['normal', 'keep-all'] as const) {
      expect(breaksIn(text, wordBreak)).toEqual(breaksIn(`${text} \u00e9`, wordBreak));
    }
  }));

test('a line in a box with room', () => {
  const fonts = fontSet(style());
  const aligns = ['start', 'center', 'right', 'justify'] as const;
  fc.assert(
    fc.property(plain, fc.constantFrom(...aligns), fc.integer({ min: 0, max: 400 }), (words, align, width) => {
      const text = prepareText(textNode(words, { align }), fonts);
      const known = inRoomyBox(text, layOutText(text, null, null), width);
      if (known) expect(known).toEqual(layOutText(text, width, null));
    }),
    { numRuns: 1_000, seed: 20_261_121 },
  );
});
