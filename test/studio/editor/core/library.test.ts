// Tests what becomes of the library's items: applied to what is selected, dropped on the canvas, components inserted, swapped
// and detached. Nothing needs a page.

import { expect, test } from 'vitest';
import { design, isMissing } from '#design/design.ts';
import { parentOf, type RawDocument } from '#studio/editor/core/document/document.ts';
import { paste } from '#studio/editor/core/state/actions.ts';
import { addItem, detachComponent, swapComponent } from '#studio/editor/core/state/library.ts';
import { settled, TestEditor } from '../test-editor.ts';

const BRAND = {
  colors: { ink: '#123456', paper: '#fafafa' },
  textStyles: { headline: { fontFamily: 'Inter', fontWeight: 700, fontSize: 40 } },
  images: { logo: 'img_logo' },
};
const PRICE: RawDocument = {
  ...{ name: 'Price', width: 200, height: 80, brand: 'acme@1' },
  texts: { amount: { de: '19 €' }, note: { de: 'nur heute' } },
  layers: [
    { type: 'shape', name: 'back', width: 200, height: 80, fill: '$paper' },
    { type: 'text', name: 'amount', x: 10, y: 10, text: '$19', color: '$ink' },
    { type: 'text', name: 'note', x: 10, y: 50, text: 'today only', when: { amount: { is: 'set' } } },
  ],
};
const BADGE: RawDocument = {
  ...{ name: 'Badge', width: 100, height: 100 },
  layers: [{ type: 'text', name: 'amount', x: 10, y: 10, text: 'New' }],
};
const SELF: RawDocument = {
  ...{ name: 'Outer', width: 100, height: 100 },
  layers: [{ type: 'template', name: 'inner', template: 'tpl_test@1' }],
};
const TEMPLATES = new Map<string, RawDocument>([
  ['tpl_price@2', PRICE],
  ['tpl_badge@1', BADGE],
  ['tpl_outer@1', SELF],
  ['tpl_test@1', BADGE],
]);
const CARD: RawDocument = {
  ...{ name: 'Card', width: 600, height: 400, brand: 'acme@1' },
  layers: [
    { type: 'shape', name: 'panel', x: 0, y: 0, width: 200, height: 200, fill: '#eeeeee' },
    { type: 'text', name: 'title', x: 300, y: 50, width: 200, text: 'Hello', fontSize: 20, fontFamily: 'Inter' },
    { type: 'image', name: 'photo', x: 300, y: 200, width: 100, height: 100, src: '', optional: true },
  ],
};

async function opened(document: RawDocument = CARD): Promise<TestEditor> {
  const editor = new TestEditor(document, {
    host: {
      materials: {
        brand: async () => BRAND,
        template: async (reference) => {
          const found = TEMPLATES.get(reference);
          if (!found) throw new Error(`There is no template ${reference}.`);
          return found;
        },
      },
      templates: {
        list: async () => [],
        find: async (id) => ({ name: id, version: 1 }),
        create: () => Promise.reject(new Error('Not here.')),
        address: (id) => `/edit/${id}`,
      },
    },
  });
  for (let i = 0; i < 4; i++) {
    await settled();
    editor.clock.paint();
  }
  editor.editor.composeNow();
  return editor;
}
const price = { kind: 'component', reference: 'tpl_price@2', name: 'Price' } as const;

test('a component is inserted in the middle, or with its middle where it is dropped, under a name of its own', async () => {
  const test = await opened();
  await addItem(test.editor, price, null);
  expect(test.said).toEqual([]);
  expect(test.layer('Price')).toEqual({ type: 'template', name: 'Price', template: 'tpl_price@2', x: 200, y: 160 });
  expect(test.selection).toEqual(['Price']);
  await addItem(test.editor, price, { x: 150, y: 50 });
  expect(test.layer('Price-2')).toMatchObject({ x: 50, y: 10 });
  test.editor.undo();
  test.editor.undo();
  expect(test.document.layers).toEqual(CARD.layers);
});

test('what cannot be shown is refused, and says why', async () => {
  const test = await opened();
  for (const reference of ['tpl_test@1', 'tpl_outer@1', 'tpl_gone@1']) {
    await addItem(test.editor, { ...price, reference }, null);
  }
  expect(test.document).toBe(test.editor.stored.peek());
  expect(test.document.layers).toHaveLength(3);
  expect(test.said).toEqual([
    expect.stringContaining('cannot show itself'),
    expect.stringContaining('cannot show itself'),
    expect.stringContaining('There is no template tpl_gone@1'),
  ]);
});

test('another component keeps the place, and what was said of the layers that both have', async () => {
  const modifications = { amount: '$25', note: 'till noon' };
  const layer = {
    type: 'template',
    name: 'offer',
    template: 'tpl_price@2',
    size: 'story',
    x: 40,
    y: 60,
    modifications,
  };
  const test = await opened({ ...CARD, layers: [layer] });
  await swapComponent(test.editor, 'offer', 'tpl_badge@1');
  expect(test.layer('offer')).toEqual({
    ...{ type: 'template', name: 'offer', template: 'tpl_badge@1', x: 40, y: 60 },
    modifications: { amount: '$25' },
  });
});

test('a detached component is drawn as before, in each language and size, and is still filled by the same names', async () => {
  const modifications = { note: 'till noon' };
  const layer = { type: 'template', name: 'offer', template: 'tpl_price@2', x: 40, y: 60, modifications };
  const story = { width: 300, height: 600, changes: { offer: { x: 5, modifications: { amount: '$9' } } } };
  const before: RawDocument = { ...CARD, layers: [layer], sizes: { story }, texts: {} };
  const test = await opened(before);
  await detachComponent(test.select('offer').editor, 'offer');
  const after = test.editor.stored.peek();
  expect(after.layers).toEqual([
    {
      ...{ type: 'frame', name: 'offer', x: 40, y: 60, width: 200, height: 80, clip: true },
      children: [
        { type: 'shape', name: 'offer/back', width: 200, height: 80, fill: '$paper' },
        { type: 'text', name: 'offer/amount', x: 10, y: 10, text: '$19', color: '$ink' },
        expect.objectContaining({ name: 'offer/note', text: 'till noon', when: expect.anything() }),
      ],
    },
  ]);
  const materials = { brands: new Map([['acme@1', BRAND]]), templates: TEMPLATES };
  const drawn = (document: RawDocument, choice: object) => {
    const shown = design(document, choice, materials);
    if (isMissing(shown)) throw new Error('Something is missing.');
    const { name: _, ...template } = shown.template as unknown as RawDocument;
    // Without a language of its own, a text has the template's.
    return JSON.stringify(template.layers).replaceAll('"lang":"de"', '"lang":null');
  };
  for (const choice of [{}, { lang: 'de' }, { size: 'story' }]) {
    expect(drawn(after, choice)).toEqual(drawn({ ...before, texts: { 'offer/amount': { de: '19 €' } } }, choice));
  }
  test.editor.undo();
  expect(test.editor.stored.peek()).toEqual(before);
});

test('the keys detach the selected component, and a command goes to it', async () => {
  const layer = { type: 'template', name: 'offer', template: 'tpl_price@2', x: 40, y: 60 };
  const test = await opened({ ...CARD, layers: [layer, ...(CARD.layers ?? [])] });
  const command = (id: string) => test.parts.commands.find((one) => one.id === id);
  expect(command('detach')?.isOn()).toBe(false);
  test.select('offer');
  command('go-to-component')?.run();
  expect(test.asked).toEqual(['open /edit/tpl_price']);
  test.press('Mod+Alt+B');
  await expect.poll(() => test.editor.stored.peek().layers?.[0]?.type).toBe('frame');
  test.press('Shift+I');
  expect(test.parts.library.peek()).toBe('components');
});

test('a color is for what is selected, or for what is under it, or the canvas', async () => {
  const test = await opened();
  const ink = { kind: 'color', color: '$ink' } as const;
  await addItem(test.editor, ink, null);
  expect(test.said).toEqual(['Select a layer first, or drag the color onto one.']);
  await addItem(test.select('panel', 'title', 'photo').editor, ink, null);
  expect([test.layer('panel').fill, test.layer('title').color, test.layer('photo').color]).toEqual([
    '$ink',
    '$ink',
    undefined,
  ]);
  await addItem(test.editor, { ...ink, color: '$paper' }, { x: 100, y: 100 });
  expect([test.layer('panel').fill, test.layer('title').color]).toEqual(['$paper', '$ink']);
  await addItem(test.editor, ink, { x: 500, y: 390 });
  expect(test.document.background).toBe('$ink');
  // A component has no colour of its own, and what is behind it is not meant.
  await addItem(test.editor, price, { x: 100, y: 100 });
  test.editor.composeNow();
  await addItem(test.editor, ink, { x: 100, y: 100 });
  expect([test.layer('panel').fill, test.said.length]).toEqual(['$paper', 2]);
});

test('a text style takes the place of what the text says itself; without a text it makes one', async () => {
  const test = await opened();
  const headline = { kind: 'text-style', style: '$headline' } as const;
  await addItem(test.select('title').editor, headline, null);
  expect(test.layer('title')).toEqual({
    ...{ type: 'text', name: 'title', x: 300, y: 50, width: 200, text: 'Hello', textStyle: '$headline' },
  });
  await addItem(test.select().editor, headline, { x: 20, y: 300 });
  expect(test.layer('text')).toMatchObject({ textStyle: '$headline', x: 20, y: 300 });
  expect(test.mode).toBe('text');
});

test('a font is for texts, and is remembered; a picture fills an empty place, or is a layer of its own', async () => {
  const test = await opened();
  await addItem(test.editor, { kind: 'font', family: 'Inter' }, null);
  expect(test.said).toEqual(['Select a text first, or drag the font onto one.']);
  await addItem(test.editor, { kind: 'font', family: 'Lobster' }, { x: 310, y: 60 });
  expect(test.layer('title').fontFamily).toBe('Lobster');
  expect(test.editor.preferences.recentFonts.peek()).toEqual(['Lobster']);
  test.editor.undo();
  await addItem(test.editor, { kind: 'picture', src: 'img_1' }, { x: 350, y: 250 });
  expect(test.layer('photo').src).toBe('img_1');
  await addItem(test.editor, { kind: 'picture', src: 'img_2', size: { width: 100, height: 50 } }, { x: 100, y: 300 });
  expect(test.layer('image')).toMatchObject({ src: 'img_2', x: 50, y: 275, width: 100, height: 50 });
  await addItem(test.select().editor, { kind: 'logo', src: '$logo' }, { x: 100, y: 100 });
  expect(test.layer('logo')).toMatchObject({ src: '$logo', fit: 'contain' });
});

test('what is pasted goes into the selected frame if it has room there, and stays upright on the canvas if not', async () => {
  const tag = { type: 'frame', name: 'tag', x: 300, y: 100, width: 60, height: 40, rotation: 20, children: [] };
  const at = await opened({
    ...CARD,
    layers: [...(CARD.layers ?? []), tag, { ...tag, name: 'area', rotation: 0, width: 250, height: 200 }],
  });
  const drawing = { type: 'frame', name: 'drawing', x: 0, y: 0, width: 120, height: 80, children: [] };
  const parents = ['tag', 'area'].map((selected) => {
    at.select(selected);
    paste(at.editor, [drawing], { x: 310, y: 110 });
    const [name = ''] = at.selection;
    const layer = at.editor.layer(name);
    return [parentOf(at.editor.document.peek(), name)?.name ?? null, layer?.x, layer?.y];
  });
  expect(parents).toEqual([
    [null, 310, 110],
    ['area', 10, 10],
  ]);
});
