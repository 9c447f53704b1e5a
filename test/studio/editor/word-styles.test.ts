// Tests the styling of words: spans are made, merged, and removed when nothing sets them apart.

import { expect, test } from 'vitest';
import type { RawLayer } from '../../../src/studio/editor/core/document/document.ts';
import type { Patch } from '../../../src/studio/editor/core/document/edits.ts';
import { textOf, textPatch } from '../../../src/studio/editor/core/document/text-edits.ts';
import {
  isStyled,
  plainWords,
  styledRuns,
  styleOfWords,
  styleWords,
  toggledStyle,
} from '../../../src/studio/editor/core/document/word-styles.ts';

const layer = (more: Patch): RawLayer => ({ type: 'text', name: 't', ...more });
const applied = (before: RawLayer, patch: Patch): RawLayer =>
  Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== undefined)) as RawLayer;
/** Styles the first occurrence of `words`. */
const styled = (before: RawLayer, words: string, style: Patch): RawLayer => {
  const from = textOf(before).indexOf(words);
  return applied(before, styleWords(before, [from, from + words.length], style));
};
const spans = (one: RawLayer) => one.spans;

test('a word gets a span; the same style beside it joins; the layer’s own style ends it', () => {
  const plain = layer({ text: 'one two three', color: '#111111' });
  const red = styled(plain, 'two', { color: '#ff0000' });
  expect(spans(red)).toEqual([{ text: 'one ' }, { text: 'two', color: '#ff0000' }, { text: ' three' }]);
  const more = styled(red, ' three', { color: '#ff0000' });
  expect(spans(more)).toEqual([{ text: 'one ' }, { text: 'two three', color: '#ff0000' }]);
  expect(styled(styled(more, 'two', { color: '#111111' }), ' three', { color: '#111111' })).toEqual(plain);
  // A style that is the default of the language needs no span either.
  expect(styled(layer({ text: 'one two' }), 'two', { fontWeight: 400 })).toEqual(layer({ text: 'one two' }));
});

test('all words: the layer is styled, and no span contradicts it', () => {
  const mixed = layer({
    spans: [
      { text: 'one ', color: '#ff0000' },
      { text: 'two', fontWeight: 700, color: '#00ff00' },
    ],
  });
  expect(styled(mixed, 'one two', { color: '#0000ff' })).toEqual(
    layer({ color: '#0000ff', spans: [{ text: 'one ' }, { text: 'two', fontWeight: 700 }] }),
  );
});

test('an emoji of several characters and an Arabic letter with its mark are not cut in two', () => {
  const family = '👩‍👩‍👧';
  const emoji = layer({ text: `a${family}b` });
  expect(spans(applied(emoji, styleWords(emoji, [2, 4], { color: '#ff0000' })))).toEqual([
    { text: 'a' },
    { text: family, color: '#ff0000' },
    { text: 'b' },
  ]);
  const arabic = layer({ text: 'سَلام' });
  expect(spans(applied(arabic, styleWords(arabic, [1, 2], { fontWeight: 700 })))).toEqual([
    { text: 'سَ', fontWeight: 700 },
    { text: 'لام' },
  ]);
});

test('a picture in the line keeps its place, and is no word', () => {
  const image = { src: 'img_1' };
  const before = layer({ spans: [{ text: 'one ' }, { image }, { text: ' two' }] });
  const after = applied(before, styleWords(before, [2, 7], { fontStyle: 'italic' }));
  expect(spans(after)).toEqual([
    { text: 'on' },
    { text: 'e ', fontStyle: 'italic' },
    { image },
    { text: ' t', fontStyle: 'italic' },
    { text: 'wo' },
  ]);
  expect(styleOfWords(after, [2, 7], 'fontStyle')).toEqual({ value: 'italic', isMixed: false });
  expect(styleOfWords(after, [0, 7], 'fontStyle')).toEqual({ value: undefined, isMixed: true });
});

test('bold, italic and underline go on and off, whatever else is set', () => {
  let one = layer({ text: 'one two', textDecoration: 'line-through', fontWeight: 800 });
  const range = [4, 7] as const;
  expect(isStyled(one, range, 'bold')).toBe(true);
  one = applied(one, styleWords(one, range, toggledStyle(one, range, 'bold')));
  one = applied(one, styleWords(one, range, toggledStyle(one, range, 'underline')));
  expect(spans(one)).toEqual([
    { text: 'one ' },
    { text: 'two', fontWeight: 400, textDecoration: ['line-through', 'underline'] },
  ]);
  one = applied(one, styleWords(one, range, toggledStyle(one, range, 'underline')));
  expect(spans(one)).toEqual([{ text: 'one ' }, { text: 'two', fontWeight: 400 }]);
  expect(styledRuns(one).map(({ range: words }) => words)).toEqual([[4, 7]]);
  expect(applied(one, plainWords(one, range)).text).toBe('one two');
});

test('counters stay where they are while words are typed and styled, and go with the words around them', () => {
  const numbered = layer({ spans: [{ text: 'Page ' }, { counter: 'page' }, { text: ' of ' }, { counter: 'pages' }] });
  const typed = (next: string) => applied(numbered, textPatch(numbered, next)).spans;
  expect(typed('Sheet  of ')).toEqual([
    { text: 'Sheet ' },
    { counter: 'page' },
    { text: ' of ' },
    { counter: 'pages' },
  ]);
  expect(typed('Page  of !')).toEqual([
    { text: 'Page ' },
    { counter: 'page' },
    { text: ' of !' },
    { counter: 'pages' },
  ]);
  expect(typed('Pagef ')).toEqual([{ text: 'Page' }, { text: 'f ' }, { counter: 'pages' }]);
  expect(spans(styled(numbered, 'of', { color: '#ff0000' }))).toEqual([
    ...[{ text: 'Page ' }, { counter: 'page' }, { text: ' ' }],
    ...[{ text: 'of', color: '#ff0000' }, { text: ' ' }, { counter: 'pages' }],
  ]);
});

test('values by their names and footnotes stay where they are while words are typed and styled', () => {
  const named = { name: 'number', format: 'number' };
  const note = { footnote: 'Within the EU.' };
  const sentence = layer({ spans: [{ text: 'Invoice ' }, named, { text: ' of May' }, note] });
  expect(applied(sentence, textPatch(sentence, 'Bill  of May')).spans).toEqual([
    { text: 'Bill ' },
    named,
    { text: ' of May' },
    note,
  ]);
  expect(spans(styled(sentence, 'of', { color: '#ff0000' }))).toEqual([
    ...[{ text: 'Invoice ' }, named, { text: ' ' }],
    ...[{ text: 'of', color: '#ff0000' }, { text: ' May' }, note],
  ]);
});
