// Tests which hyphenation patterns a language tag selects, and how they hyphenate words.

import { expect, test } from 'vitest';
import { loadHyphenators } from '#draw/renderer/load-resources.ts';

async function check(language: string, word: string, expected: string): Promise<void> {
  const hyphenate = (await loadHyphenators([language])).get(language);
  const offsets = hyphenate?.(word) ?? [];
  const parts = [0, ...offsets].map((start, i) => word.slice(start, offsets[i]));
  expect(parts.join('-')).toBe(expected);
}

test('English', () => check('en', 'Hyphenation', 'Hy-phen-ation'));
test('British English parts elsewhere', () => check('en-GB', 'hyphenation', 'hy-phen-a-tion'));
test('German', () => check('de', 'Silbentrennung', 'Sil-ben-tren-nung'));
test('a region without patterns of its own', () => check('de-AT', 'Silbentrennung', 'Sil-ben-tren-nung'));
test('Russian', () => check('ru', 'достопримечательность', 'до-сто-при-ме-ча-тель-ность'));
test('a word that is listed', () => check('en', 'present', 'present'));
test('a letter that changes length in lower case', () => check('tr', 'İSTANBULLULAR', 'İSTANBULLULAR'));
test('a language without patterns, and no language', async () => {
  expect((await loadHyphenators(['ja', 'cu', 'xx', '', '../x', '__proto__'])).size).toBe(0);
});

test('ever new words are not kept', async () => {
  const hyphenate = (await loadHyphenators(['en'])).get('en');
  const letters = (index: number) => [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  for (let i = 0; i < 6_000; i++) hyphenate?.(`${letters(i)}hyphenation`);
  expect(hyphenate?.('hyphenation')).toEqual([2, 6]);
});
