// Tests CSS text-transform, including its language-specific rules.

import { expect, test } from 'vitest';
import type { CharacterStyle } from '#core/resolve/scene.ts';
import { transformText } from '#core/text/text-transform.ts';
import { layOut, style, textNode } from './faces.ts';

function check(
  textTransform: CharacterStyle['textTransform'],
  text: string,
  expected: string,
  lang?: string,
  before = '',
): void {
  expect(transformText(text, style({ textTransform, lang: lang ?? null }), before)).toBe(expected);
}

test('none', () => check('none', 'Straße', 'Straße'));
test('uppercase may lengthen', () => check('uppercase', 'Straße', 'STRASSE'));
test('lowercase', () => check('lowercase', 'ÀÉ', 'àé'));
test('Turkish i', () => check('uppercase', 'istanbul', 'İSTANBUL', 'tr-TR'));
test('Turkish I', () => check('lowercase', 'ISPARTA', 'ısparta', 'tr'));
test('Greek loses its accents', () => check('uppercase', 'άλφα', 'ΑΛΦΑ', 'el'));
test('a final sigma', () => check('lowercase', 'ΟΔΟΣ', 'οδος', 'el'));
test('capitalize', () => check('capitalize', 'the quick brown-fox', 'The Quick Brown-Fox'));
test('capitalize leaves the rest as it is', () => check('capitalize', 'mcDONALD pdf', 'McDONALD Pdf'));
test('capitalize knows apostrophes', () => check('capitalize', "don’t o'clock", "Don’t O'clock"));
test('capitalize skips what is no letter', () => check('capitalize', '"hello" (world) 3rd', '"Hello" (World) 3rd'));
test('capitalize in Dutch', () => check('capitalize', 'ijsberg', 'IJsberg', 'nl'));
test('title case of a digraph', () => check('capitalize', 'ǆep ßa ﬁn', 'ǅep Ssa Fin'));
test('a word that began in the span before', () => check('capitalize', 'stand up', 'stand Up', undefined, 'under'));
test('a word that begins with the span', () => check('capitalize', 'stand', 'Stand', undefined, 'under '));
test('a language that is none does not throw', () => check('uppercase', 'a', 'A', 'x-y-z'));

test('offsets of a paragraph are into the transformed text', () => {
  const node = textNode([
    { text: 'ßß\nb', style: style({ textTransform: 'uppercase' }), link: null, counter: null, image: null },
  ]);
  expect(layOut(node, null).lines.map(({ start, end }) => [start, end])).toEqual([
    [0, 5],
    [5, 6],
  ]);
});
