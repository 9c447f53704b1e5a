// Tests designs over the API: sizes, languages, brands and components in renders, batches, jobs, previews and signed
// URLs.

import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { readPdf } from '#draw/output/pdf/read-pdf.ts';
import { type NamedValue, signedQuery } from '#server/service/rendering/signed-url.ts';
import { type ServerUnderTest, serverUnderTest } from './server-under-test.ts';

const CARD = {
  name: 'Card',
  width: 100,
  height: 50,
  brand: 'acme',
  lang: 'en',
  background: '$primary',
  sizes: { story: { width: 40, height: 80 }, square: { width: 60, height: 60, changes: { box: false } } },
  texts: { title: { de: 'Hallo' } },
  layers: [
    { name: 'box', type: 'shape', x: 10, y: 10, width: 10, height: 10, fill: '#ffffff' },
    { name: 'title', type: 'text', x: 30, y: 10, text: 'Hello', fontSize: 10 },
  ],
};
const BRANDS = { acme: '#ff0000', bird: '#00ff00' };

type Json = Record<string, unknown>;
const save = async (server: ServerUnderTest, json: unknown) =>
  String((await server.post('/v1/templates', json)).json.id);
const saveBrand = ({ ask }: ServerUnderTest, name: string, primary: string) =>
  ask(`/v1/brands/${name}`, { method: 'PUT', json: { colors: { primary } } });
const warnings = (answer: { headers: NodeJS.Dict<string | string[]> }) =>
  JSON.parse(String(answer.headers['platen-warnings'] ?? '[]')) as string[];
const resultsOf = ({ json }: { json: Json }) => json.results as Json[];

async function start() {
  const server = await serverUnderTest();
  for (const [name, primary] of Object.entries(BRANDS)) await saveBrand(server, name, primary);
  return { ...server, template: await save(server, CARD) };
}

/** Size and first pixel of a render’s file. */
async function look(server: ServerUnderTest, { url }: Json) {
  return lookAt((await server.ask(new URL(String(url)).pathname, { key: null })).body);
}

async function lookAt(bytes: Buffer) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return `${info.width}×${info.height} #${data.subarray(0, 3).toString('hex')}`;
}

test('saving names the versions of the brand and of components', async () => {
  await using server = await start();
  const { ask, template } = server;
  expect((await ask(`/v1/templates/${template}`)).json).toMatchObject({ brand: 'acme@1', background: '$primary' });
  await saveBrand(server, 'acme', '#0000ff');
  const plain = (await server.post('/v1/renders', { template })).json;
  expect(await look(server, plain)).toBe('100×50 #ff0000');
  const page = { name: 'Page', width: 200, height: 100, layers: [{ name: 'card', type: 'template', template }] };
  const around = await save(server, page);
  expect((await ask(`/v1/templates/${around}`)).json).toMatchObject({ layers: [{ template: `${template}@1` }] });
  await ask(`/v1/templates/${template}`, { method: 'PUT', json: { ...CARD, background: '#123456' } });
  const card = (await server.post('/v1/renders', { template: around, modifications: { 'card/title': 'Hi' } })).json;
  expect(await look(server, card)).toBe('200×100 #ff0000');
  expect((await ask(`/v1/templates/${template}`)).json).toMatchObject({ brand: 'acme@2' });
});

test('a size, a language and a brand are chosen by name, and the answer says so', async () => {
  await using server = await start();
  const { template } = server;
  const made = await server.post('/v1/renders', { template, size: 'story', lang: 'de', brand: 'bird' });
  expect(made.json).toMatchObject({ size: 'story', lang: 'de', brand: 'bird' });
  expect([await look(server, made.json), warnings(made)]).toEqual(['40×80 #00ff00', []]);
  const odd = await server.post('/v1/renders', { template, lang: 'fr' });
  expect(warnings(odd)).toEqual(['Layer "title" has no text in fr; it keeps its own.']);
  const given = await server.post('/v1/renders', { template, lang: 'fr', modifications: { title: 'Salut' } });
  expect(warnings(given)).toEqual([]);
});

test('several give a file each, with its unit, and one that fails stands in its place', async () => {
  await using server = await start();
  const { template } = server;
  const all = await server.post('/v1/renders', { template, size: 'all', lang: ['en', 'de'], brand: ['acme', 'bird'] });
  expect(all.json).toMatchObject({ count: 12, ok: 12 });
  const results = resultsOf(all);
  expect(results.slice(0, 4)).toMatchObject([
    { brand: 'acme', lang: 'en', size: 'default' },
    { brand: 'acme', lang: 'en', size: 'story' },
    { brand: 'acme', lang: 'en', size: 'square' },
    { brand: 'acme', lang: 'de', size: 'default' },
  ]);
  expect(await look(server, results.at(-1) ?? {})).toBe('60×60 #00ff00');
  expect(new Set(results.map(({ id }) => id)).size).toBe(12);
  expect((await server.ask('/v1/usage')).json).toMatchObject({ used: 12 });
  const some = await server.post('/v1/renders', { template, size: ['story', 'stroy'] });
  expect(resultsOf(some)).toMatchObject([
    { size: 'story' },
    { size: 'stroy', error: 'size: the template has no size "stroy"; did you mean "story"?' },
  ]);
});

test('a repeated request for several is answered as before', async () => {
  await using server = await start();
  const headers = { 'idempotency-key': 'set-1' };
  const ask = () => server.post('/v1/renders', { template: server.template, size: 'all' }, { headers });
  expect((await ask()).json).toEqual((await ask()).json);
  expect((await server.ask('/v1/usage')).json).toMatchObject({ used: 3 });
});

test('jobs keep what was chosen, with the brand of their time', async () => {
  await using server = await start();
  const { template, ask } = server;
  const accepted = await server.post('/v1/renders', {
    template,
    size: ['story', 'square'],
    brand: 'bird',
    async: true,
  });
  expect([accepted.status, accepted.json]).toMatchObject([
    202,
    { count: 2, ok: 2, results: [{ status: 'queued', size: 'story', brand: 'bird' }, { size: 'square' }] },
  ]);
  for (const [index, picture] of ['40×80 #00ff00', '60×60 #00ff00'].entries()) {
    const job = await vi.waitFor(async () => {
      const { json } = await ask(`/v1/renders/${resultsOf(accepted)[index]?.id}`);
      expect(json.status).toBe('done');
      return json;
    }, 10_000);
    expect(await look(server, job.result as Json)).toBe(picture);
  }
});

test('items of a batch choose too, and may ask for several', async () => {
  await using server = await start();
  const { template } = server;
  const renders = [
    { template, size: 'story' },
    { template, size: ['default', 'square'] },
    { template, size: 'x' },
  ];
  expect(resultsOf(await server.post('/v1/renders/batch', { renders }))).toMatchObject([
    { size: 'story' },
    { size: 'default' },
    { size: 'square' },
    { size: 'x', error: 'size: the template has no size "x"' },
  ]);
  const items = [{ title: 'a' }, { modifications: { title: 'b' }, size: 'square' }];
  expect(resultsOf(await server.post('/v1/renders/batch', { template, size: 'story', items }))).toMatchObject([
    { size: 'story', output: 'png' },
    { size: 'square' },
  ]);
});

test('previews and layouts choose one', async () => {
  await using server = await start();
  const path = `/v1/templates/${server.template}`;
  expect(await lookAt((await server.post(`${path}/preview`, { size: 'story', brand: 'bird' })).body)).toBe(
    '40×80 #00ff00',
  );
  expect((await server.post(`${path}/layout`, { size: 'square' })).json).toMatchObject({ width: 60, height: 60 });
  const several = await server.post(`${path}/preview`, { size: 'all' });
  expect([several.status, several.json]).toEqual([
    400,
    { error: 'size: must be one name here; lists and "all" are for renders' },
  ]);
});

test('signed URLs choose, unless a layer has the name', async () => {
  await using server = await start();
  const open = (template: string, parameters: readonly NamedValue[]) =>
    server.ask(
      `/v1/templates/${template}/render.png?${signedQuery(server.signingSecret, { template, extension: 'png', parameters })}`,
      { key: null },
    );
  const { template } = server;
  const chosen: NamedValue[] = [
    ['size', 'story'],
    ['brand', 'bird'],
    ['lang', 'de'],
    ['title', 'Hi'],
  ];
  expect(await lookAt((await open(template, chosen)).body)).toBe('40×80 #00ff00');
  await saveBrand(server, 'bird', '#0000ff');
  expect(await lookAt((await open(template, chosen)).body)).toBe('40×80 #0000ff');
  expect(await lookAt((await open(template, [])).body)).toBe('100×50 #ff0000');
  const wrong = await open(template, [['size', 'stroy']]);
  expect([wrong.status, wrong.text]).toEqual([400, 'size: the template has no size "stroy"; did you mean "story"?\n']);
  const own = await save(server, {
    ...CARD,
    sizes: undefined,
    texts: undefined,
    layers: [{ name: 'size', type: 'text' }],
  });
  expect((await open(own, [['size', 'XL']])).status).toBe(200);
});

test('signed URLs choose a page of a document, unless a layer has the name', async () => {
  await using server = await start();
  const page = (color: string) => ({ name: color, type: 'shape', width: 30, height: 30, fill: color });
  const layers = [{ name: 'flow', type: 'frame', flow: true, children: ['#ff0000', '#00ff00'].map(page) }];
  const document = await save(server, { name: 'Pages', page: { size: [30, 40] }, layers });
  const open = (template: string, number: string, extension = 'png') => {
    const message = { template, extension, parameters: [['page', number] as const] };
    const path = `/v1/templates/${template}/render.${extension}?${signedQuery(server.signingSecret, message)}`;
    return server.ask(path, { key: null });
  };
  expect(await lookAt((await open(document, '1')).body)).toBe('30×40 #ff0000');
  expect(await lookAt((await open(document, '2')).body)).toBe('30×40 #00ff00');
  const { objects } = await readPdf((await open(document, '2', 'pdf')).body);
  expect([...objects.values()].filter(({ text }) => /\/Type \/Page\s/.test(text))).toHaveLength(1);
  const refused = async (number: string) => (await open(document, number)).text;
  expect(await refused('3')).toBe('page: there is no page 3: there are 2 pages\n');
  expect(await refused('0')).toBe('page: must be a whole number from 1 to 5000\n');
  expect(await refused('9999')).toBe('page: must be at most 5000\n');
  const own = await save(server, { name: 'Own', page: { size: [30, 40] }, layers: [{ name: 'page', type: 'text' }] });
  expect((await open(own, 'iv')).status).toBe(200);
});

test('a template that comes with the request is a design as well', async () => {
  await using server = await start();
  const made = await server.post('/v1/renders', { template: CARD, size: 'story' });
  expect(await look(server, made.json)).toBe('40×80 #ff0000');
});

test.each([
  [{ brand: 'acm' }, 'brand: there is no brand "acm"; did you mean "acme"?'],
  [{ background: '$primry' }, 'background: the brand "acme@1" has no "$primry"; did you mean "$primary"?'],
  [{ brand: undefined }, 'background: names $primary, but the template has no brand'],
  [
    { sizes: { s: { width: 20, height: 10, changes: { titel: 'a' } } } },
    'sizes.s.changes.titel: the template has no layer "titel"; did you mean "title"?',
  ],
  [
    { sizes: { s: { width: 9_000, height: 9_000 } } },
    'sizes.s: gives what is no template: width: width × height must be at most 52 million px',
  ],
  [{ texts: { titel: { de: 'a' } } }, 'texts.titel.de: the template has no layer "titel"; did you mean "title"?'],
  [
    { layers: [{ name: 'a', type: 'template', template: 'tpl_none' }] },
    'layers[0].template: there is no template "tpl_none"',
  ],
])('400: %j is not saved', async (change, error) => {
  await using server = await start();
  const answer = await server.post('/v1/templates', { ...CARD, ...change });
  expect([answer.status, answer.json]).toEqual([400, { error }]);
});

test.each([
  [{ size: 5 }, 'size: must be the name of a size, a list of names, or "all"'],
  [{ lang: 'x y' }, 'lang: must be a BCP 47 tag such as "en" or "pt-BR"'],
  [{ brand: 'nobody' }, 'brand: there is no brand "nobody"'],
  [{ size: 'all', response: 'bytes' }, 'response: must be "json" for several files; leave out the header Accept too'],
  [
    { size: ['a', 'b', 'c', 'd'], lang: Array(30).fill('de') },
    'size: with these one request makes more than 100 files; ask for fewer',
  ],
])('400: %j is refused', async (fields, error) => {
  await using server = await start();
  const answer = await server.post('/v1/renders', { template: server.template, ...fields });
  expect([answer.status, answer.json]).toEqual([400, { error }]);
});

test('a template may not show itself, nor one of another account, nor a version that there is not', async () => {
  await using server = await start();
  const { ask, template, otherKey } = server;
  const next = { name: 'P', width: 9, height: 9, layers: [{ name: 'a', type: 'template', template: `${template}@2` }] };
  expect((await server.post('/v1/templates', next)).json).toEqual({
    error: `layers[0].template: the template "${template}" has no version 2; its newest is 1`,
  });
  const layers = [{ name: 'self', type: 'template', template }];
  const itself = await ask(`/v1/templates/${template}`, { method: 'PUT', json: { ...CARD, layers, texts: undefined } });
  expect(itself.json.error).toMatch(/^layers\[0\]\.template: is a template that this stands in/);
  const others = await server.post('/v1/templates', { name: 'P', width: 9, height: 9, layers }, { key: otherKey });
  expect(others.json).toEqual({ error: `layers[0].template: there is no template "${template}"` });
});

test('brands are versioned, listed, read and deleted, each by its own account', async () => {
  await using server = await start();
  const { ask, otherKey } = server;
  await saveBrand(server, 'acme', '#0000ff');
  expect((await ask('/v1/brands')).json).toMatchObject({
    brands: [
      { name: 'acme', version: 2 },
      { name: 'bird', version: 1 },
    ],
  });
  const first = (await ask('/v1/brands?limit=1')).json;
  expect(first).toEqual({ brands: [expect.objectContaining({ name: 'acme' })], next: 'acme' });
  expect((await ask(`/v1/brands?after=${first.next}`)).json).toEqual({
    brands: [expect.objectContaining({ name: 'bird' })],
  });
  expect((await ask('/v1/brands/acme')).json).toMatchObject({
    version: 2,
    colors: { primary: '#0000ff' },
    numbers: {},
  });
  expect((await ask('/v1/brands/acme@1')).json).toMatchObject({ version: 1, colors: { primary: '#ff0000' } });
  expect((await ask('/v1/brands/acme', { key: otherKey })).status).toBe(404);
  expect((await ask('/v1/brands', { key: otherKey })).json).toEqual({ brands: [] });
  const read = (await ask('/v1/brands/acme')).json;
  expect((await ask('/v1/brands/acme', { method: 'PUT', json: read })).json).toMatchObject({ version: 3 });
  expect((await ask('/v1/brands/Acme', { method: 'PUT', json: {} })).status).toBe(400);
  expect((await ask('/v1/brands/new', { method: 'PUT', json: { colours: {} } })).json.error).toContain(
    'did you mean "colors"?',
  );

  expect((await ask('/v1/brands/acme', { method: 'DELETE' })).status).toBe(204);
  expect((await ask('/v1/brands/acme', { method: 'DELETE' })).json.error).toBe('There is no brand "acme"');
  const made = await server.post('/v1/renders', { template: server.template });
  expect(await look(server, made.json)).toBe('100×50 #ff0000');
  expect((await server.post('/v1/templates', CARD)).status).toBe(400);
  expect((await saveBrand(server, 'acme', '#ffffff')).json).toMatchObject({ version: 4 });
});
