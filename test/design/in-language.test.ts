// Tests templates in other languages: look-up of tags, texts, and what follows the language.

import { expect, test } from 'vitest';
import type { Template, TemplateDocument } from '#core/template/template.ts';
import { languagesOf } from '#design/choice.ts';
import { lookUp } from '#design/in-language.ts';
import { designedAs } from './designed-as.ts';

const CARD: TemplateDocument = {
  name: 'Card',
  width: 100,
  height: 100,
  lang: 'en',
  sizes: { small: { width: 50, height: 50, changes: { title: { text: 'Hi' } } } },
  texts: {
    title: { de: 'Hallo', ar: 'مرحبا', fr: { text: 'Bonjour', fontSize: 12 } },
    note: { de: 'Bis Sonntag' },
  },
  layers: [
    { name: 'title', type: 'text', text: 'Hello', lang: 'en-GB' },
    { name: 'row', type: 'frame', layout: { type: 'flex' }, children: [{ name: 'note', type: 'text', text: 'Soon' }] },
    { name: 'price', type: 'text', text: '12' },
  ],
};

const spoken = (lang: string, size?: string) => {
  const { template, diagnostics } = designedAs(CARD, { lang, ...(size === undefined ? {} : { size }) });
  const { layers, ...rest } = template as Template;
  const [title, row, price] = layers;
  const [note] = row?.type === 'frame' ? row.children : [];
  return { ...rest, title, row, price, note, diagnostics };
};

test.each([
  ['de-AT', ['de', 'fr'], 'de'],
  ['DE', ['de'], 'de'],
  ['zh-Hant-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
  ['en-a-bbb', ['en'], 'en'],
  ['de', ['de-AT'], null],
  ['pt-BR', ['fr'], null],
])('%s is looked up in %j', (range, known, found) => {
  expect(lookUp(range, known)).toBe(found);
});

test('texts and the language of layers and formats follow', () => {
  const { lang, title, note, price, diagnostics } = spoken('de-AT');
  expect(lang).toBe('de-AT');
  expect(title).toMatchObject({ text: 'Hallo', lang: 'de-AT' });
  expect(note).toMatchObject({ text: 'Bis Sonntag', lang: 'de-AT' });
  expect(price).toMatchObject({ text: '12', lang: null });
  expect(diagnostics).toEqual([]);
});

test('a language that is begun, and has no words yet, is reported like one that there is not', () => {
  const begun = { ...CARD, texts: { title: { nl: {} } } };
  const { template, diagnostics } = designedAs(begun, { lang: 'nl' });
  expect((template as Template).layers[0]).toMatchObject({ text: 'Hello', lang: 'en-GB' });
  expect(diagnostics.map(({ layer }) => layer)).toEqual(['title']);
});

test('a layer without a text keeps its own, in its own language, and is reported', () => {
  const { title, note, diagnostics } = spoken('fr');
  expect(title).toMatchObject({ text: 'Bonjour', fontSize: 12 });
  expect(note).toMatchObject({ text: 'Soon', lang: 'en' });
  expect(diagnostics).toEqual([
    { code: 'untranslated', layer: 'note', message: 'Layer "note" has no text in fr; it keeps its own.' },
  ]);
});

test('a layer that another language only shows otherwise has nothing to be translated', () => {
  const { diagnostics } = designedAs(
    { ...CARD, texts: { ...CARD.texts, price: { ar: { fontSize: 9 } } } },
    { lang: 'de' },
  );
  expect(diagnostics).toEqual([]);
});

test('the template’s own language lacks nothing', () => {
  expect(spoken('en-US')).toMatchObject({ title: { text: 'Hello' }, diagnostics: [] });
});

test('frames follow a language that is written from right to left', () => {
  expect(spoken('ar').row).toMatchObject({ direction: 'rtl' });
  expect(spoken('de').row).toMatchObject({ direction: null });
  expect(spoken('az-Arab').row).toMatchObject({ direction: 'rtl' });
});

test('a text of the language wins over one of a size', () => {
  expect(spoken('de', 'small')).toMatchObject({ width: 50, title: { text: 'Hallo' } });
  expect(spoken('en', 'small')).toMatchObject({ width: 50, title: { text: 'Hi' } });
});

test('all languages are listed once, the template’s own first', () => {
  expect(languagesOf(CARD)).toEqual(['en', 'de', 'ar', 'fr']);
});

test('a text of a layer that there is not is named', () => {
  const texts = { titel: { de: 'Hallo' } };
  expect(() => designedAs({ ...CARD, texts }, { lang: 'de' })).toThrow(
    'texts.titel.de: the template has no layer "titel"; did you mean "title"?',
  );
});

test.each([
  [{}, 'de', ['The template has no texts in de: its words stay as they are.']],
  [{ lang: 'en' }, 'de', ['The template has no texts in de: its words stay as they are.']],
  [{ lang: 'de' }, 'de-AT', []],
  [{ layers: [{ name: 'a', type: 'text', text: '1', format: 'number' }] }, 'de', []],
  [{ layers: [{ name: 'a', type: 'text', text: 'Word', hyphens: 'auto' }] }, 'de', []],
])(
  'a language that a template has no texts in is reported, unless values or words are written by it: %j',
  (own, lang, said) => {
    const layers = [{ name: 'a', type: 'text', text: 'Hello' }];
    const { diagnostics } = designedAs({ name: 'Card', width: 9, height: 9, layers, ...own }, { lang });
    expect(diagnostics.map(({ message }) => message)).toEqual(said);
  },
);
