// Tests hyphenation: what requests it, which words are never hyphenated, and what the line shows.

import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import type { Hyphenate } from '#core/text/hyphenation.ts';
import { layOutText, prepareText } from '#core/text/lay-out-text.ts';
import { fontSet, style, textNode } from './faces.ts';

/** Hyphenates each word after every third letter. */
const byThrees: Hyphenate = (word) => Array.from({ length: Math.ceil(word.length / 3) - 1 }, (_, i) => 3 * (i + 1));

function check(
  text: string,
  expected: string[],
  hyphens: TextNode['hyphens'] = 'auto',
  lang: string | null = 'xx',
): void {
  const own = style({ lang });
  const node = textNode([{ text, style: own, link: null, counter: null, image: null }], { hyphens });
  const prepared = prepareText(node, fontSet(own), new Map(), new Map([['xx', byThrees]]));
  const { lines } = layOutText(prepared, 60, null);
  expect(lines.map(({ runs }) => runs.map(({ run }) => run.text).join(''))).toEqual(expected);
}

test('a word is parted by its language', () => check('An acquisition', ['An acq\u00ad', 'uisition']));
test('not in another language', () => check('An acquisition', ['An', 'acquisit', 'ion'], 'auto', 'yy'));
test('not in no language', () => check('An acquisition', ['An', 'acquisit', 'ion'], 'auto', null));
test('not unless asked for', () => check('An acquisition', ['An', 'acquisit', 'ion'], 'manual'));
test('a soft hyphen says where', () => check('An acqui\u00adsition', ['An', 'acqui\u00ad\u00ad', 'sition']));
test('which is off without hyphens', () => check('An acqui\u00adsition', ['An', 'acqui\u00adsit', 'ion'], 'none'));
test('an address stays whole', () => check('acquis@isition', ['acquis', '@isition']));
