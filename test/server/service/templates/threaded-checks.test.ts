import { expect, test } from 'vitest';
import { LocalChecks, type StoredTemplateText } from '#server/service/templates/template-checks.ts';
import { ThreadedChecks } from '#server/service/templates/threaded-checks.ts';

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
      lang: 'en',
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

/** A check of half a second at least: many looks of many layers. */
const LOOKS = {
  sizes: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, { width: 50, height: 100 + i }])),
};
const LONG = card(600, LOOKS);

test('a check that takes too long by itself is refused, its thread ends, and the next is done by another', async () => {
  const warnings: string[] = [];
  await using checks = new ThreadedChecks({ deadline: 100, onWarning: (message) => warnings.push(message) });
  // On a machine with other work it may be late because of that, which is told apart.
  expect(await outcome(checks.read('acc_a', LONG))).toMatch(
    /Checking this took more than 0\.1 s; give it less|The server is busy, and could not/,
  );
  expect(warnings).toEqual(['the checking thread has ended and is replaced']);
  expect(await checks.check(stored(card(500)), {})).toMatchObject({ sources: ['img_a'] });
});

test('an account whose checks are slow waits for itself, not the others for it', async () => {
  await using checks = new ThreadedChecks({ slow: 150 });
  const order: string[] = [];
  const read = (accountId: string, document: object) =>
    checks.read(accountId, document).then(
      () => order.push(accountId),
      () => order.push(`${accountId} failed`),
    );
  await read('acc_warm', card(500));
  for (const accountId of ['acc_slow', 'acc_slow', 'acc_slow', 'acc_slow']) void read(accountId, LONG);
  await Promise.all(['acc_a', 'acc_b'].map((accountId) => read(accountId, card(500))));
  expect(order.filter((each) => each !== 'acc_slow')).toEqual(['acc_warm', 'acc_a', 'acc_b']);
  expect(order.filter((each) => each === 'acc_slow').length).toBeLessThan(3);
});

test('a check that turns out to be slow while another is slow is done again', async () => {
  await using checks = new ThreadedChecks({ slow: 50 });
  const document = card(300, LOOKS);
  const [one, other] = await Promise.all([checks.read('acc_a', document), checks.read('acc_b', document)]);
  expect(one).toEqual(other);
});

test('a small template of many looks does not hold the calling thread', async () => {
  await using checks = new ThreadedChecks();
  const looksOf = (word: string) =>
    card(30, {
      sizes: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, { width: 50, height: 100 + i }])),
      texts: { t1: Object.fromEntries('de fr es it nl pl pt sv da fi'.split(' ').map((lang) => [lang, word])) },
      lang: 'en',
    });
  expect(JSON.stringify(looksOf('x')).length).toBeLessThan(12_000);
  await checks.read('acc_a', card(500));
  // The least of three: the collector of garbage may take its turn in one.
  let least = Number.POSITIVE_INFINITY;
  for (const word of ['x', 'y', 'z']) {
    const looks = looksOf(word);
    const before = process.threadCpuUsage();
    const read = await checks.read('acc_a', looks);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1e3);
    expect(read).toEqual(await new LocalChecks().read('', looks));
  }
  expect(least).toBeLessThan(20);
});

test('a drawing is read as in one thread, and its pictures are found', async () => {
  await using checks = new ThreadedChecks();
  const bytes = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/>' +
      '<image href="data:image/png;base64,AAAA" width="2" height="2"/><g><image href="data:image/png;base64,A" width="2" height="2"/></g></svg>',
  );
  const file = { bytes, families: ['Inter'], generic: new Map<string, string>() };
  const read = await checks.readSvgTemplate('acc_a', file);
  const here = await new LocalChecks().readSvgTemplate('', file);
  expect({ ...read, pictures: [] }).toEqual({ ...here, pictures: [] });
  expect(read.pictures).toEqual([{ name: 'image', bytes: new Uint8Array(3) }]);
  expect(read.omitted).toEqual([expect.stringMatching(/is left out: The data: URI is not valid base64/)]);
});
