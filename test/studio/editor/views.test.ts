// Tests what the editor shows of a size and a language, and how edits of it are stored: apart, or for all sizes.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolve } from '#core/resolve/resolve.ts';
import type { Choice } from '#design/choice.ts';
import { design, isMissing } from '#design/design.ts';
import { absorbed } from '../../../src/studio/editor/core/design/absorb.ts';
import { Designs } from '../../../src/studio/editor/core/design/designs.ts';
import { type Shown, shownDocument, worded } from '../../../src/studio/editor/core/design/shown-document.ts';
import { withOwnWords } from '../../../src/studio/editor/core/design/size-edits.ts';
import { OWN_VIEW, type View } from '../../../src/studio/editor/core/design/view.ts';
import { type Edit, findLayer, type RawDocument, walk } from '../../../src/studio/editor/core/document/document.ts';
import {
  insertLayers,
  moveLayers,
  removeLayers,
  renameLayer,
  setDocument,
  setLayer,
} from '../../../src/studio/editor/core/document/edits.ts';
import { parseDocument } from '../../../src/studio/editor/core/document/parse-document.ts';

const { template, brands } = JSON.parse(readFileSync('samples/campaign/campaign.json', 'utf8'));
const CARD: RawDocument = {
  name: 'Card',
  width: 1000,
  height: 500,
  lang: 'en',
  sizes: { story: { width: 500, height: 1000, changes: { title: { fontSize: 60 } } } },
  texts: { title: { de: 'Hallo' }, note: { fr: { text: 'Note', fontSize: 18 } } },
  layers: [
    { type: 'shape', shape: 'rect', name: 'back', width: 1000, height: 500, fill: '#eee' },
    { type: 'text', name: 'title', x: 100, y: 100, text: 'Hello', fontSize: 40 },
    { type: 'text', name: 'note', x: 100, y: 300, text: 'Note', fontSize: 20 },
    {
      ...{ type: 'frame', name: 'box', x: 700, y: 50, width: 200, height: 100 },
      children: [{ type: 'shape', shape: 'rect', name: 'dot', x: 10, y: 10, width: 20, height: 20 }],
    },
  ],
};
const STORY: View = { size: 'story', lang: null };

const designs = new Designs({ brand: async (name) => brands[name], template: async () => undefined });

async function show(stored: RawDocument, view: View): Promise<Shown> {
  for (;;) {
    const shown = shownDocument(stored, view, designs);
    if (!(shown instanceof Promise)) return shown;
    await shown;
  }
}

async function plain(document: RawDocument): Promise<RawDocument> {
  for (;;) {
    const made = designs.plain(document);
    if (!(made instanceof Promise)) return made;
    await made;
  }
}

/** Makes an edit in a view. @returns what is stored, and what the view then shows */
async function edited(edit: Edit, apart: boolean | 'own-words', view: View = STORY, stored = CARD) {
  const shown = await show(stored, view);
  const after = absorbed(stored, shown, edit(shown.document), view, apart);
  return { stored: after, shown: (await show(after, view)).document };
}
const changesOf = (stored: RawDocument) => (stored.sizes as Record<string, { changes?: unknown }>).story?.changes;

test('every size in every language is what the server draws', async () => {
  const given = { brands: new Map(Object.entries(brands)), templates: new Map() };
  const all = ['square', 'portrait', 'story', 'banner', 'default'].filter(
    (one) => one === 'default' || template.sizes[one],
  );
  for (const size of all) {
    for (const lang of ['en', 'de', 'ar']) {
      const view = { size: size === 'default' ? null : size, lang };
      const made = design(template, { size, lang }, given);
      if (isMissing(made)) throw new Error('Something is missing.');
      const { layers, width, height, lang: spoken } = parseDocument(await plain((await show(template, view)).document));
      const wanted = made.template as unknown as RawDocument;
      const { layers: expected, width: w, height: h, lang: l } = wanted;
      expect({ size, lang, layers, width, height, spoken }).toEqual({
        ...{ size, lang, layers: expected, width: w, height: h, spoken: l },
      });
    }
  }
  expect(all.length).toBeGreaterThan(3);
});

const GERMAN: RawDocument = {
  ...{
    name: 'Styled words',
    width: 600,
    height: 300,
    sizes: { wide: { width: 900, height: 300, changes: { line: 'Cold' } } },
  },
  layers: [
    { name: 'line', type: 'text', text: 'Autumn', spans: [{ text: 'Autumn ' }, { text: 'wind', color: '#ff6b3d' }] },
  ],
  texts: { line: { de: 'Herbstwind', fr: { text: 'Le vent' }, ar: { spans: [{ text: 'ريح' }] } } },
};

test.each([
  ['a text', { size: null, lang: 'de' }, 'Herbstwind'],
  ['an object with a text', { size: null, lang: 'fr' }, 'Le vent'],
  ['a size', { size: 'wide', lang: null }, 'Cold'],
  ['a text in a size', { size: 'wide', lang: 'de' }, 'Herbstwind'],
])('%s without styles takes the place of styled words', async (_name, view, words) => {
  const line = findLayer((await show(GERMAN, view)).document, 'line');
  expect([line?.text, line?.spans]).toEqual([words, undefined]);
});

test('words that are written in a language stay plain where they are stored', async () => {
  const view = { size: null, lang: 'de' };
  const { stored, shown } = await edited(setLayer('line', { text: 'Wind' }), false, view, GERMAN);
  expect((stored.texts as Record<string, { de?: unknown }>).line?.de).toBe('Wind');
  expect(findLayer(shown, 'line')).toMatchObject({ text: 'Wind' });
});

const words = fc.constantFrom('Wind', '', 'a b', 'ריח', 7);
const spans = fc.array(fc.record({ text: fc.constantFrom('x ', 'y'), color: fc.constantFrom('#f00', '#0f0') }), {
  minLength: 1,
  maxLength: 3,
});
const change = fc.oneof(
  words,
  fc.boolean(),
  fc.record(
    { text: words.map(String), spans, fontSize: fc.integer({ min: 4, max: 60 }), visible: fc.boolean() },
    { requiredKeys: [] },
  ),
);
const changes = fc.dictionary(fc.constantFrom('line', 'plain', 'photo', 'chip'), change, { maxKeys: 3 }).map(
  // A picture and a shape have no words.
  ({ photo, chip, ...texts }) => ({
    ...texts,
    ...(typeof photo === 'boolean' && { photo }),
    ...(typeof chip === 'boolean' && { chip }),
  }),
);
const translations = changes.map((all) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'string' || typeof value === 'object')),
);
const styled = fc.record({
  spans: fc.option(spans, { nil: undefined }),
  text: fc.constantFrom('Wind', 'Regen'),
  fontSize: fc.integer({ min: 8, max: 60 }),
});
/** Properties that a size, or a language, may change too. */
const shadowed = fc.record(
  {
    shadow: fc.constantFrom({ y: 4, blur: 12, color: '#00000040' }, []),
    shadowType: fc.constantFrom('box', 'drop'),
    listStyle: fc.constantFrom('none', 'disc', 'decimal'),
  },
  { requiredKeys: [] },
);
const sold = fc.record({
  rows: fc.array(fc.record({ item: fc.constantFrom('Hinge', 'Oak'), amount: fc.integer({ min: 0, max: 99 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  values: fc.constantFrom('amount', ['amount', 'double']),
});
const anyDesign = fc
  .record({
    shadowed,
    sold,
    line: styled,
    plain: styled,
    sizes: fc.record({ story: changes, banner: changes }),
    de: translations,
    ar: translations,
  })
  .map(
    ({
      line,
      plain,
      sizes,
      de,
      ar,
      shadowed: { listStyle = 'none', ...shadow },
      sold: { rows, values },
    }): RawDocument => {
      const box = { x: 20, y: 30, width: 200, height: 80 };
      const named = [...new Set([...Object.keys(de), ...Object.keys(ar)])];
      const texts = named.map((name) => [
        name,
        {
          ...(name in de && { de: de[name as keyof typeof de] }),
          ...(name in ar && { ar: ar[name as keyof typeof ar] }),
        },
      ]);
      return {
        ...{ name: 'Any', width: 400, height: 200, lang: 'en' },
        sizes: {
          story: { width: 200, height: 400, changes: sizes.story },
          banner: { width: 900, height: 200, changes: sizes.banner },
        },
        texts: Object.fromEntries(texts),
        layers: [
          { type: 'image', name: 'paper', src: 'img_letterpaper', width: '100%', height: '100%', pdfPage: 2 },
          { type: 'text', name: 'line', ...box, ...line, listStyle },
          {
            type: 'text',
            name: 'sentence',
            ...box,
            spans: [{ text: 'About ' }, { name: 'plain' }, { text: ' and ' }, { name: 'line', color: '#f00' }],
          },
          {
            ...{ type: 'table', name: 'lines', ...box, columns: ['fill', 'hug', 'hug'], rows },
            row: [
              { name: 'item' },
              { name: 'amount', format: 'number' },
              { name: 'double', calculate: { sum: ['amount', 'amount'] } },
            ],
          },
          { type: 'chart', name: 'chart', ...box, from: { table: 'lines', label: 'item', values } },
          {
            type: 'frame',
            name: 'chip',
            ...box,
            layout: { direction: 'row' },
            background: '#fff',
            ...shadow,
            children: [{ type: 'text', name: 'plain', ...plain }],
          },
          { type: 'shape', shape: 'rect', name: 'photo', ...box, fill: '#eee' },
        ],
      } as RawDocument;
    },
  );

test('of any design, every size in every language is what the server draws', async () => {
  const given = { brands: new Map(), templates: new Map() };
  await fc.assert(
    fc.asyncProperty(
      anyDesign,
      fc.constantFrom(null, 'story', 'banner'),
      fc.constantFrom(null, 'en', 'de', 'ar'),
      async (document, size, lang) => {
        const made = design(document, { size: size ?? 'default', ...(lang !== null && { lang }) }, given);
        if (isMissing(made)) throw new Error('Something is missing.');
        const shown = parseDocument((await show(document, { size, lang })).document);
        expect(resolve(shown, {})).toEqual(resolve(made.template as typeof shown, {}));
      },
    ),
    { seed: 11, numRuns: 150 },
  );
});

test('what is shown and not changed is stored as it was', async () => {
  const shown = await show(CARD, STORY);
  expect(absorbed(CARD, shown, { ...shown.document }, STORY, true)).toBe(CARD);
  expect((await show(CARD, OWN_VIEW)).document.layers).toBe(CARD.layers);
});

test('a layer that an edit does not change is the same object in a size', async () => {
  const before = (await show(CARD, STORY)).document;
  const after = (await show(setLayer('note', { color: '#f00' })(CARD), STORY)).document;
  expect(findLayer(after, 'title')).toBe(findLayer(before, 'title'));
  expect(findLayer(after, 'box')).toBe(findLayer(before, 'box'));
});

test('apart: a change of the size only, and none when it is as it would be', async () => {
  const { stored, shown } = await edited(setLayer('title', { x: 20, fontSize: 70 }), true);
  expect(stored.layers).toBe(CARD.layers);
  expect(changesOf(stored)).toEqual({ title: { fontSize: 70, x: 20 } });
  expect(findLayer(shown, 'title')).toMatchObject({ x: 20, fontSize: 70, text: 'Hello' });
  const back = await edited(setLayer('title', { fontSize: 20, x: 50 }), true, STORY, stored);
  expect(changesOf(back.stored)).toEqual(undefined);
});

test('together: lengths of the template’s own canvas, and the size differs no more', async () => {
  const { stored, shown } = await edited(setLayer('title', { fontSize: 30, color: '#f00' }), false);
  expect(findLayer(stored, 'title')).toMatchObject({ fontSize: 60, color: '#f00' });
  expect(changesOf(stored)).toEqual(undefined);
  expect(findLayer(shown, 'title')).toMatchObject({ fontSize: 30, color: '#f00' });
  const stretched = await edited(setLayer('back', { width: 400 }), false);
  expect(findLayer(stretched.stored, 'back')).toMatchObject({ width: 800 });
});

test('own words: those that a size has for itself are its own, all others are those of all sizes', async () => {
  const changes = { title: { text: 'Hi', fontSize: 60 } };
  const stored = { ...CARD, sizes: { story: { width: 500, height: 1000, changes } } };
  const title = await edited(setLayer('title', { text: 'Hey' }), 'own-words', STORY, stored);
  expect(title.stored.sizes).toEqual({
    story: { width: 500, height: 1000, changes: { title: { text: 'Hey', fontSize: 60 } } },
  });
  expect(findLayer(title.stored, 'title')).toMatchObject({ text: 'Hello' });
  const note = await edited(setLayer('note', { text: 'New' }), 'own-words', STORY, stored);
  expect([note.stored.sizes, findLayer(note.stored, 'note')]).toMatchObject([stored.sizes, { text: 'New' }]);
});

test('words are shared between sizes, until one of them is given its own', async () => {
  const big = { fontSize: 60 };
  const shared = await edited((document) => setLayer('title', { text: 'Hey', color: '#f00' })(document), true);
  expect(findLayer(shared.stored, 'title')).toMatchObject({ text: 'Hey' });
  expect(changesOf(shared.stored)).toEqual({ title: { ...big, color: '#f00' } });
  const title = findLayer(CARD, 'title') ?? ({} as never);
  const forked = withOwnWords('story', title)(CARD);
  expect([changesOf(forked), findLayer(forked, 'title')]).toEqual([{ title: { ...big, text: 'Hello' } }, title]);
  const own = await edited(setLayer('title', { text: 'Hey' }), true, STORY, forked);
  expect([changesOf(own.stored), findLayer(own.stored, 'title')]).toEqual([{ title: { ...big, text: 'Hey' } }, title]);
  expect(findLayer(own.shown, 'title')).toMatchObject({ text: 'Hey' });
  // Also where words are styled that were not.
  const styled = await edited(setLayer('title', { spans: [{ text: 'Hey' }, { text: '!' }] }), true, STORY, forked);
  expect(findLayer(styled.stored, 'title')).toEqual(title);
  const all = await edited(setLayer('title', { text: 'Hey' }), false, STORY, forked);
  expect([changesOf(all.stored), findLayer(all.stored, 'title')]).toEqual([{ title: big }, { ...title, text: 'Hey' }]);
});

test('an object is changed by the properties that differ', async () => {
  const bordered = setLayer('box', { border: { width: 4, color: '#000' } })(CARD);
  const { stored, shown } = await edited(
    setLayer('box', { border: { width: 2, color: '#f00' } }),
    true,
    STORY,
    bordered,
  );
  expect(changesOf(stored)).toMatchObject({ box: { border: { color: '#f00' } } });
  expect(findLayer(shown, 'box')?.border).toMatchObject({ width: 2, color: '#f00' });
});

test('a layer deleted in one size is hidden there, and gone for all sizes together', async () => {
  const { stored } = await edited(removeLayers(['box']), true);
  expect(changesOf(stored)).toEqual({ title: { fontSize: 60 }, box: { visible: false } });
  expect(findLayer(stored, 'dot')).not.toBe(null);
  const gone = await edited(removeLayers(['title']), false);
  expect(findLayer(gone.stored, 'title')).toBe(null);
  expect(changesOf(gone.stored)).toEqual({});
  expect(gone.stored.texts).toEqual({ note: { fr: { text: 'Note', fontSize: 18 } } });
});

test('a layer drawn in a size is where it was drawn, and in proportion on the template’s own canvas', async () => {
  const dot = { type: 'shape', name: 'new', shape: 'rect', x: 250, y: 500, width: 50, height: 50 };
  const { stored, shown } = await edited((document) => insertLayers(document, [dot], null).document, true);
  expect(findLayer(stored, 'new')).toMatchObject({ x: 500, y: 250, width: 100, height: 100 });
  expect(findLayer(shown, 'new')).toMatchObject(dot);
});

test('the order is that of all sizes', async () => {
  const { stored, shown } = await edited(moveLayers(['note'], 'box', 0), true);
  expect(findLayer(stored, 'box')?.children?.map(({ name }) => name)).toEqual(['note', 'dot']);
  expect(findLayer(shown, 'box')?.children?.map(({ name }) => name)).toEqual(['note', 'dot']);
});

test('the canvas of a size is its own; the background is that of all', async () => {
  const { stored } = await edited(setDocument({ height: 900, background: '#fff' }), true);
  expect(stored).toMatchObject({ width: 1000, height: 500, background: '#fff' });
  expect(stored.sizes).toMatchObject({ story: { width: 500, height: 900 } });
});

test('in a language, words are its own, and so is what it has changed; the rest is shared', async () => {
  const german: View = { size: null, lang: 'de' };
  const said = await edited(setLayer('title', { text: 'Servus', color: '#f00' }), true, german);
  expect(said.stored.texts).toMatchObject({ title: { de: 'Servus' } });
  expect(findLayer(said.stored, 'title')).toMatchObject({ text: 'Hello', color: '#f00' });
  expect(findLayer(said.shown, 'title')).toMatchObject({ text: 'Servus', lang: 'de' });
  const french: View = { size: 'story', lang: 'fr' };
  const larger = await edited(setLayer('note', { fontSize: 22, text: 'Remarque' }), true, french);
  expect(larger.stored.texts).toMatchObject({ note: { fr: { text: 'Remarque', fontSize: 22 } } });
  expect(changesOf(larger.stored)).toEqual(changesOf(CARD));
});

test('a renamed layer keeps its changes and its texts', () => {
  const renamed = renameLayer('title', 'headline')(CARD);
  expect(changesOf(renamed)).toEqual({ headline: { fontSize: 60 } });
  expect(renamed.texts).toMatchObject({ headline: { de: 'Hallo' } });
});

test('forms show the words of the size and the language that they are about', () => {
  const words = (choice: Choice) =>
    [
      ...walk(
        worded({ ...GERMAN, sizes: { wide: { width: 900, height: 200, changes: { line: 'Cold' } } } }, choice).layers,
      ),
    ]
      .filter(({ layer }) => layer.name === 'line')
      .map(({ layer }) => layer.text);
  expect(words({ lang: 'de' })).toEqual(['Herbstwind']);
  expect(words({ size: 'wide' })).toEqual(['Cold']);
  expect(words({ size: 'wide', lang: 'de' })).toEqual(['Herbstwind']);
});
