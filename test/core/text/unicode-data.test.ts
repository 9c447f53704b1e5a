import { expect, test } from 'vitest';
import { BIDI_CLASS, LINE_BREAK_CLASS, TRAIT, VERTICAL_ORIENTATION } from '#core/text/unicode-classes.ts';
import {
  BIDI_CLASS_OF,
  CLOSING_BRACKET,
  LINE_BREAK_CLASS_OF,
  recordOf,
  SCRIPT_EXTENSIONS,
  SCRIPT_SET_OF,
  TRAITS_OF,
  VERTICAL_ORIENTATION_OF,
} from '#core/text/unicode-data.ts';

function nameOf(classes: Readonly<Record<string, number>>, value: number | undefined): string | undefined {
  return Object.keys(classes).find((name) => classes[name] === value);
}

/** Checks bidi class, line break class, scripts and traits. */
function check(codePoint: number, expected: string): void {
  const record = recordOf(codePoint);
  const traits = Object.entries(TRAIT).filter(([, bit]) => (TRAITS_OF[record] ?? 0) & bit);
  const properties = [
    nameOf(BIDI_CLASS, BIDI_CLASS_OF[record]),
    nameOf(LINE_BREAK_CLASS, LINE_BREAK_CLASS_OF[record]),
    SCRIPT_EXTENSIONS[SCRIPT_SET_OF[record] ?? -1]?.join('+'),
    ...traits.map(([name]) => name.toLowerCase()),
  ];
  expect(properties.join(' ')).toBe(expected);
}

test('A', () => check(0x41, 'L AL Latn'));
test('Arabic comma', () => check(0x60c, 'CS IS Arab+Syrc+Nkoo+Rohg+Thaa+Yezi'));
test('combining acute', () => check(0x301, 'NSM CM Zinh extends'));
test('Devanagari vowel sign i, which stands before its consonant', () => check(0x93f, 'L CM Deva extends'));
test('Thai vowel sign i', () => check(0xe34, 'NSM SA_MARK Thai extends'));
test('small kana', () => check(0x3041, 'L CJ Hira'));
test('wide bracket', () => check(0x300c, 'ON OP_WIDE Hani+Hang+Yiii+Hira+Kana+Bopo'));
test('woman, whom a skin tone may follow', () =>
  check(0x1f469, 'ON EB Zyyy emoji emoji_presentation emoji_modifier_base'));
test('a code point reserved for emoji', () => check(0x1fae9, 'L ID_RESERVED Zzzz emoji emoji_presentation'));
test('a code point reserved for Hebrew', () => check(0x5ff, 'R AL Zzzz'));
test('a lone surrogate', () => check(0xd800, 'L AL Zzzz'));
test('the last code point', () => check(0x10ffff, 'BN AL Zzzz'));
test('brackets', () => {
  expect(CLOSING_BRACKET.size).toBe(64);
  expect(String.fromCharCode(CLOSING_BRACKET.get(0x300c) ?? 0)).toBe('」');
});
test('orientations in vertical lines', () => {
  const of = (character: string) => VERTICAL_ORIENTATION_OF[recordOf(character.codePointAt(0) ?? 0)];
  expect([...'A漢、（'].map((character) => nameOf(VERTICAL_ORIENTATION, of(character)))).toEqual([
    'R',
    'U',
    'Tu',
    'Tr',
  ]);
});
