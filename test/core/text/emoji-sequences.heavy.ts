import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { emojiEnd } from '#core/text/itemize.ts';

/** Unicode's data, which the generator of our own reads. */
const DATA = join(import.meta.dirname, '../../../scripts/generate/node_modules/@unicode/unicode-15.0.0');

async function sequences(property: string): Promise<readonly string[]> {
  return (await import(pathToFileURL(join(DATA, 'Sequence_Property', property, 'index.mjs')).href)).default;
}

const isWhole = (sequence: string) => emojiEnd(sequence, 0, sequence.length) === sequence.length;

test('every sequence recommended for interchange is one emoji', async () => {
  const all = await sequences('RGI_Emoji');
  expect(all.filter((sequence) => !isWhole(sequence))).toEqual([]);
  expect(all.length).toBe(3_664);
});

test('of the sequences that people also type, only those are text that ask for nothing else', async () => {
  const text = (await sequences('Emoji_Test')).filter((sequence) => !isWhole(sequence));
  expect(text.filter((sequence) => !/^(\p{Emoji}|[0-9#*]\u20e3)$/u.test(sequence))).toEqual([]);
  expect(text.filter((sequence) => /^\p{Emoji_Presentation}$/u.test(sequence))).toEqual([]);
});

/** Checks the emoji that the text begins with. */
function check(text: string, expected: string): void {
  expect(text.slice(0, emojiEnd(text, 0, text.length))).toBe(expected);
}

test('letters and digits are none', () => {
  check('a😀', '');
  check('1', '');
  check('1\u20e3', '');
});
test('one at a time', () => check('😀😀', '😀'));
test('a lone flag letter', () => check('🇫x', '🇫'));
test('a skin tone on what has no skin', () => check('🚗🏽', '🚗'));
test('tags stay with their flag, even without an end', () => check('🏴\u{e0067}x', '🏴\u{e0067}'));
test('a text selector ends the matter', () => check('❤\ufe0e\u200d🔥', ''));
test('nothing beyond the limit is read', () => {
  expect(emojiEnd('👍🏽', 0, 2)).toBe(2);
  expect(emojiEnd('❤\u200d🔥', 0, 2)).toBe(0);
  expect(emojiEnd('🇫🇷', 0, 2)).toBe(2);
});
