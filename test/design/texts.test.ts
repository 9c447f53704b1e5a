// Tests texts as a table, as rows of CSV and as XLIFF, there and back, and what is refused.

import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { needsTranslation, tableRows, textTable, translationsIn, withTranslations } from '#design/text-table.ts';
import { readXliff, writeXliff } from '#design/xliff.ts';

const CARD = {
  name: 'Card & co',
  width: 100,
  height: 100,
  lang: 'en',
  texts: { title: { de: 'Hallo <Welt> & "mehr"', fr: { text: 'Bonjour', fontSize: 20 } } },
  layers: [
    { type: 'text', name: 'title', text: 'Hello' },
    {
      type: 'frame',
      name: 'box',
      children: [{ type: 'text', name: 'note', spans: [{ text: 'A ' }, { text: 'note' }] }],
    },
    { type: 'text', name: 'empty', text: '' },
    { type: 'text', name: 'price', text: '249' },
    { type: 'shape', name: 'back' },
  ],
};
const TABLE = textTable(CARD);

test('a row for each text, a column for each language', () => {
  expect(TABLE).toEqual({
    lang: 'en',
    languages: ['de', 'fr'],
    rows: [
      { name: 'title', source: 'Hello', texts: { de: 'Hallo <Welt> & "mehr"', fr: 'Bonjour' } },
      { name: 'note', source: 'A note', texts: {} },
    ],
  });
  expect(tableRows(TABLE)).toEqual([
    ['layer', 'en', 'de', 'fr'],
    ['title', 'Hello', 'Hallo <Welt> & "mehr"', 'Bonjour'],
    ['note', 'A note', '', ''],
  ]);
});

test.each([
  'https://shop.example/?a=1',
  'shop.example/sale',
  'mail@shop.example',
  '@shop',
  'SPRING60',
  '4006381333931',
])('%s need not be translated', (text) => expect(needsTranslation(text)).toBe(false));

test.each(['SALE', 'Hello', 'Sale.', 'See shop.example', 'Code SPRING60', 'e.g.'])('%s is to be translated', (text) =>
  expect(needsTranslation(text)).toBe(true),
);

test('what is read back unchanged is the same', () => {
  expect(withTranslations(CARD, translationsIn(tableRows(TABLE), 'en'))).toEqual(CARD);
  expect(withTranslations(CARD, readXliff(writeXliff(TABLE, CARD.name, ['de', 'fr'])))).toEqual(CARD);
});

test('new words are added, what else a language changes stays, and an empty text is removed', () => {
  const changed = withTranslations(CARD, [
    { name: 'title', lang: 'fr', text: 'Salut' },
    { name: 'title', lang: 'de', text: '' },
    { name: 'note', lang: 'pt-BR', text: 'Uma nota' },
  ]);
  expect(changed.texts).toEqual({ title: { fr: { text: 'Salut', fontSize: 20 } }, note: { 'pt-BR': 'Uma nota' } });
  expect(
    withTranslations({ ...CARD, texts: { title: { de: 'x' } } }, [{ name: 'title', lang: 'de', text: '' }]),
  ).not.toHaveProperty('texts');
});

test.each([
  [[['name', 'de']], 'line 1: must name the columns'],
  [
    [
      ['layer', 'German!'],
      ['title', 'x'],
    ],
    'line 1: "German!" is no language',
  ],
  [
    [
      ['layer', 'de'],
      ['title', 'x'],
      ['', 'y'],
    ],
    'line 3: names no layer',
  ],
])('rows are refused by their line: %j', (rows, problem) => {
  expect(() => translationsIn(rows, 'en')).toThrow(problem);
});

test('a layer that there is not is named with the nearest', () => {
  expect(() => withTranslations(CARD, [{ name: 'titel', lang: 'de', text: 'x' }])).toThrow(
    'titel: the template has no text "titel"; did you mean "title"?',
  );
});

test('XLIFF 2.0 is read too: segments of a unit together, inline elements by their words', () => {
  const file = `<?xml version="1.0"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">
  <file id="f1"><unit id="u1" name="title">
    <segment><source>Hello</source><target>Hal<pc id="1">lo</pc>, </target></segment>
    <segment><source>you</source><target><![CDATA[<du>]]> &amp; ich &#x1F600;</target></segment>
  </unit><unit id="note"><segment><source>x</source></segment></unit></file>
</xliff>`;
  expect(readXliff(file)).toEqual([{ name: 'title', lang: 'de', text: 'Hallo, <du> & ich 😀' }]);
});

test('suggestions of a tool are not translations', () => {
  const file = `<xliff version="1.2"><file target-language="de"><body><trans-unit id="title"><source>Hello</source>
<target>Hallo</target><alt-trans><target>Servus</target></alt-trans></trans-unit></body></file></xliff>`;
  expect(readXliff(file)).toEqual([{ name: 'title', lang: 'de', text: 'Hallo' }]);
});

test.each([
  ['', 'line 1: is no XLIFF: it has no elements'],
  ['<html></html>', 'line 1: is no XLIFF'],
  ['<xliff>\n<file>\n', 'line 2: <file> is not closed'],
  ['<xliff>\n</file>', 'line 2: </file> closes nothing'],
  ['<!DOCTYPE x [<!ENTITY a "b">]><xliff/>', 'line 1: has a document type'],
  ['<xliff>\n\n&a;</xliff>', 'line 3: "&a;" is not an XML character'],
  ['<xliff><file><trans-unit id="a">\n<target>x</target></trans-unit></file></xliff>', 'line 2: has no language'],
  ['<xliff><!-- ', 'line 1: a comment does not end'],
  [`<xliff>${'<g>'.repeat(40)}`, 'elements nest at most 32 deep'],
  ['x'.repeat(4_000_001), 'the file has more than 4 million characters'],
])('a file is refused by its line: %#', (file, problem) => {
  expect(() => readXliff(file)).toThrow(problem);
});

test('a long file of nothing but brackets is read in linear time', () => {
  const began = timeWorked();
  expect(() => readXliff(`<xliff>${'<a b="'.repeat(300_000)}`)).toThrow();
  expect(() => readXliff(`<xliff>${'&'.repeat(1_000_000)}`)).toThrow();
  expect(() => readXliff(`<xliff>${'<g>'.repeat(30)}${'<a/>'.repeat(200_000)}`)).toThrow('is not closed');
  expect(timeWorked() - began).toBeLessThan(5_000);
});
