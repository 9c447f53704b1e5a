import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphemeBoundaries } from '#core/text/graphemes.ts';
import { conformanceCases, parseBreaks } from '../../unicode/conformance-data.ts';

/**
 * Unicode 17 removes symbols that are not emoji from Extended_Pictographic, among them U+2701, so that a zero-width
 * joiner no longer joins them (GB11). Engines of that version or later break here.
 */
const CHANGED_SINCE = ['÷ 2701 × 200D × 2701 ÷'];

test('GraphemeBreakTest 15.0: every boundary but those that newer versions moved', () => {
  const cases = conformanceCases('GraphemeBreakTest');
  const wrong = cases.filter((line) => {
    const { text, boundaries } = parseBreaks(line);
    return graphemeBoundaries(text).join() !== boundaries.join();
  });
  expect(wrong.filter((line) => !CHANGED_SINCE.includes(line))).toEqual([]);
  expect(cases.length).toBe(602);
});

/** Clusters separated by spaces. */
function check(text: string, expected: string): void {
  const boundaries = graphemeBoundaries(text);
  const clusters = boundaries.slice(1).map((end, index) => text.slice(boundaries[index], end));
  expect(clusters.join(' ')).toBe(expected);
}

test('Latin letters are clusters', () => check('né', 'n é'));
test('a letter keeps its marks', () => check('ne\u0301', 'n e\u0301'));
test('flags, families, skin tones and keycaps are clusters', () => check('🇫🇷🇩🇪👩‍👩‍👧👍🏽1️⃣', '🇫🇷 🇩🇪 👩‍👩‍👧 👍🏽 1️⃣'));
test('a Devanagari conjunct is one cluster', () => check('क्षि', 'क्षि'));
test('CR LF is one cluster', () => check('a\r\nb', 'a \r\n b'));
test('empty text has one boundary', () => expect(graphemeBoundaries('')).toEqual([0]));

test('any UTF-16 has ascending boundaries, both ends included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const boundaries = graphemeBoundaries(text);
      expect(boundaries[0]).toBe(0);
      expect(boundaries.at(-1)).toBe(text.length);
      for (const [index, offset] of boundaries.entries()) {
        if (index > 0) expect(offset).toBeGreaterThan(boundaries[index - 1] ?? 0);
      }
    }),
  );
});
