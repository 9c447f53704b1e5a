import { expect, test } from 'vitest';
import { LocalChecks, type StoredTemplateText } from '#service/templates/template-checks.ts';
import { ThreadedChecks } from '#service/templates/threaded-checks.ts';

const text = (i: number) => ({ name: `t${i}`, type: 'text', text: 'word' });
const card = (layers: number, rest: object = {}) => ({
  name: 'Card',
  width: 100,
  height: 50,
  layers: [
    ...Array.from({ length: layers }, (_, i) => text(i)),
    { name: 'photo', type: 'image', src: 'img_a', fallback: 'data:image/png;base64,AA==' },
  ],
  ...rest,
});
const page = (renderer: string) => ({
  name: 'Page',
  width: 100,
  height: 50,
  engine: 'html',
  renderer,
  html: '<p data-layer="a">b</p>'.repeat(1_000),
});
const stored = (document: object, id = 'tpl_a'): StoredTemplateText => ({
  id,
  version: 1,
  accountId: 'acc_a',
  document: JSON.stringify(document),
});

/** The result of a call, or its error as text. */
const outcome = (call: Promise<unknown>) => call.catch((error: Error) => `${error.name}: ${error.message}`);

test.each([
  ['a small template', card(1)],
  ['a large one', card(500)],
  ['a large one with an error', card(500, { layers: [...card(500).layers, { ...text(7), fontSize: 'x' }] })],
  ['a large one that cannot be drawn', card(500, { layers: [...card(500).layers, text(7)] })],
  ['a page for a browser', page('chromium')],
  ['a page for satori', page('satori')],
  ['a key that means something to JavaScript', JSON.parse(`{"__proto__": 1, "a": "${'x'.repeat(20_000)}"}`)],
])('%s is read as in one thread', async (_name, document) => {
  await using checks = new ThreadedChecks();
  expect(await outcome(checks.read('acc_a', document))).toEqual(await outcome(new LocalChecks().read('', document)));
});

test.each([
  ['nothing', {}],
  ['a text', { t7: 'Hello' }],
  ['much', { t7: 'x'.repeat(20_000) }],
  ['much that does not fit', { t7: { text: 'x'.repeat(20_000), fontSize: 'large' } }],
  ['unknown layers', { t: 'a', title: 'x'.repeat(20_000) }],
  ['an own __proto__', JSON.parse(`{"__proto__": "a", "t7": "${'x'.repeat(20_000)}"}`)],
])('%s as modifications is checked as in one thread', async (_name, modifications) => {
  await using checks = new ThreadedChecks();
  for (const [i, document] of [card(1), card(500), page('chromium'), page('satori')].entries()) {
    const template = stored(document, `tpl_${i}`);
    expect(await outcome(checks.check(template, modifications))).toEqual(
      await outcome(new LocalChecks().check(template, modifications)),
    );
  }
});

const DESIGN = {
  brand: 'acme@1',
  background: '$paper',
  lang: 'en',
  sizes: { tall: { width: 50, height: 100, changes: { t0: 'Tall' } } },
  texts: { t1: { de: 'Wort' } },
};
const MATERIALS = { templates: new Map(), brands: new Map([['acme@1', '{"colors":{"paper":"#ffffff"}}']]) };

test('a design is read, made and told of as in one thread, whatever its size', async () => {
  await using checks = new ThreadedChecks();
  const here = new LocalChecks();
  for (const [i, layers] of [2, 500].entries()) {
    const document = card(layers, DESIGN);
    const template = stored(document, `tpl_d${i}`);
    const ways = (one: ThreadedChecks | LocalChecks) =>
      Promise.all([
        outcome(one.read('acc_a', document)),
        outcome(one.read('acc_a', document, MATERIALS)),
        outcome(one.read('acc_a', { ...document, texts: { t: { de: 'a' } } }, MATERIALS)),
        outcome(one.design(template, { size: 'tall', lang: 'de' }, MATERIALS)),
        outcome(one.design(template, { size: 'tal' }, MATERIALS)),
      ]);
    const there = await ways(checks);
    expect(there).toEqual(await ways(here));
    expect(there[0]).toEqual({ templates: [], brands: ['acme@1'] });
    const plain = stored({ ...document, brand: undefined, background: '#fff' }, `tpl_p${i}`);
    expect(await checks.choicesOf(plain)).toEqual({
      sizes: ['default', 'tall'],
      languages: ['en', 'de'],
      parameters: ['size', 'lang'],
      hasPages: false,
    });
  }
});

test('a look of a design is kept apart from the others', async () => {
  await using checks = new ThreadedChecks();
  const looks = [{ width: 100 }, { width: 50 }].map((size, i) => ({ ...stored(card(500, size)), design: `${i}` }));
  for (const look of looks) {
    expect((await checks.summaryOf(look)).width).toBe((await new LocalChecks().summaryOf(look)).width);
  }
});

test('what a signed URL names, and which engine it is for, is told of large templates too', async () => {
  await using checks = new ThreadedChecks();
  const parameters = [
    ['t7.fontSize', '9'],
    ['photo', 'false'],
  ] as const;
  expect(await checks.toModifications(stored(card(500)), parameters)).toEqual({ t7: { fontSize: 9 }, photo: false });
  expect(await checks.summaryOf(stored(card(500)))).toMatchObject({ engine: 'layers' });
});

test('no data: URI is told as a source', async () => {
  expect((await new LocalChecks().check(stored(card(1)), {})).sources).toEqual(['img_a']);
});

test('a check that takes too long ends with its thread, and the next is done by another', async () => {
  const warnings: string[] = [];
  await using checks = new ThreadedChecks({ deadline: 0, onWarning: (message) => warnings.push(message) });
  expect(await outcome(checks.check(stored(card(500)), {}))).toMatch(/could not be checked in time/);
  expect(warnings).toEqual(['the checking thread has ended and is replaced']);
  await using patient = new ThreadedChecks();
  expect(await patient.check(stored(card(500)), {})).toMatchObject({ sources: ['img_a'] });
});
