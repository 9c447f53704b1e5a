// Tests POST /v1/renders, GET /v1/renders/{id} and assets (Spec).

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { REQUEST_OUTPUTS } from '#draw/output/formats.ts';
import { type Answer, type Export, type ServerUnderTest, SHAPES, serverUnderTest } from '../server-under-test.ts';

const PERIOD = '2026-11';
const drawn = { exportAs: async () => Buffer.from('a picture') };
const start = (env = {}, exportAs: Export = drawn.exportAs) => serverUnderTest(env, { exportAs });

async function storeShapes({ services, account }: ServerUnderTest): Promise<string> {
  return (await services.templates.create(account, SHAPES)).id;
}

const post = (server: ServerUnderTest, json: unknown, key = server.key) => server.post('/v1/renders', json, { key });

const usage = (server: ServerUnderTest) => server.services.storage.usage.totals(server.account, PERIOD);

test('200: the render result, and its url opens without a key', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  for (const output of REQUEST_OUTPUTS) {
    const { status, json } = await post(server, { template, output });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.stringMatching(/^rnd_[0-9A-Za-z]{22}$/),
      url: `${server.url}/assets/${json.id}.${output}`,
      output,
    });
    const asset = await server.ask(new URL(String(json.url)).pathname, { key: null });
    expect([asset.status, asset.text]).toEqual([200, 'a picture']);
  }
});

test('400: Chromium writes no svg of a page, which is said before anything is drawn or counted', async () => {
  await using server = await start();
  const page = { engine: 'html', name: 'Page', width: 10, height: 10, renderer: 'chromium', html: '<p>Hello</p>' };
  const message =
    'output: svg is written of layers, and of html without a browser; a page that Chromium draws can be png, jpeg, webp, avif, pdf';
  const accept = { headers: { accept: 'image/svg+xml' } };
  const { status, json } = await server.post('/v1/renders', { template: page }, { ...accept });
  expect([status, json]).toEqual([400, { error: message }]);
  expect(await usage(server)).toMatchObject({ used: 0, reserved: 0 });
});

test('a document has all its pages in a PDF, and one in a picture', async () => {
  const counts: number[] = [];
  await using server = await start({}, async (_output, pages) => {
    counts.push([...pages].length);
    return Buffer.from('x');
  });
  const box = (name: string) => ({ name, type: 'shape', width: 10, height: 60 });
  const template = {
    name: 'Document',
    page: { size: [100, 100] },
    layers: [{ name: 'flow', type: 'frame', flow: true, children: ['a', 'b', 'c'].map(box) }],
  };
  for (const choice of [{ output: 'pdf' }, { output: 'pdf', page: 2 }, {}, { page: 3 }, { paged: false }]) {
    expect((await post(server, { template, ...choice })).status).toBe(200);
  }
  expect(counts).toEqual([3, 1, 1, 1, 1]);
  const { status, json } = await post(server, { template, page: 4 });
  expect([status, json]).toEqual([400, { error: 'page: there is no page 4: there are 3 pages' }]);
  const html = { engine: 'html', name: 'Page', width: 10, height: 10, html: '<p>Hello</p>' };
  const refused = await post(server, { template: html, page: 1 });
  expect(refused.json).toEqual({ error: 'page: is for templates of layers that have `page`; leave it out for html' });
});

test('output is png where it is absent, and templateId is an alias of template', async () => {
  await using server = await start();
  const templateId = await storeShapes(server);
  expect((await post(server, { templateId })).json.output).toBe('png');
});

test('PLATEN_PUBLIC_URL stands before the asset', async () => {
  await using server = await start({ PLATEN_PUBLIC_URL: 'https://img.example.com/p/' });
  const { json } = await post(server, { template: await storeShapes(server) });
  expect(json.url).toBe(`https://img.example.com/p/assets/${json.id}.png`);
});

test('400: the example message for a missing template', async () => {
  await using server = await start();
  for (const body of [{}, { template: '' }, { template: 5 }, { template: null }]) {
    const { status, json } = await post(server, body);
    expect([status, json]).toEqual([400, { error: expect.stringMatching(/^templateId is required\./) }]);
  }
});

test('400: a modification names its path', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const { status, json } = await post(server, { template, modifications: { box: { opacity: 2 } } });
  expect([status, json]).toEqual([400, { error: 'modifications.box.opacity: must be at most 1' }]);
});

test('401: no key, before the body is looked at', async () => {
  await using server = await start();
  const { status, json } = await server.ask('/v1/renders', { method: 'POST', raw: '{', key: null });
  expect([status, json]).toEqual([401, { error: expect.stringMatching(/^invalid or revoked API key/) }]);
});

test('402: the free quota, and not one unit more at 30 requests at once', async () => {
  await using server = await start({ PLATEN_PLANS: '{"free":{"quota":7,"blocks":true}}' });
  const template = await storeShapes(server);
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(server, { template })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(23);
  expect(await usage(server)).toEqual({ used: 7, reserved: 0 });
  expect(await readdir(join(server.folder, 'assets'))).toHaveLength(7);
});

test('402 comes after validation, and not to a test key or a paid plan', async () => {
  await using server = await start({
    PLATEN_PLANS: '{"free":{"quota":0,"blocks":true},"pro":{"quota":0,"blocks":false}}',
  });
  const template = await storeShapes(server);
  expect((await post(server, { template })).status).toBe(402);
  expect((await post(server, { template, modifications: { box: { opacity: 2 } } })).status).toBe(400);
  expect((await post(server, { template }, server.testKey)).status).toBe(200);
  expect(await usage(server)).toEqual({ used: 0, reserved: 0 });
  await server.services.accounts.setPlan(server.account, 'pro');
  expect((await post(server, { template })).status).toBe(200);
  expect(await usage(server)).toEqual({ used: 1, reserved: 0 });
});

test('404: an unknown template, and another account’s, in the same words', async () => {
  await using server = await start();
  const theirs = (await server.services.templates.create(server.other, SHAPES)).id;
  const { status, json } = await post(server, { template: theirs });
  expect([status, json]).toEqual([404, { error: `Template "${theirs}" not found.` }]);
  expect((await post(server, { template: 'nope' })).json).toEqual({ error: 'Template "nope" not found.' });
});

test('500: a failure costs no quota, leaves no asset and tells nothing', async () => {
  await using server = await start({}, async () => {
    throw new Error('disk /secret/path is full');
  });
  const { status, json } = await post(server, { template: await storeShapes(server) });
  expect([status, json]).toEqual([500, { error: 'Something went wrong on our side; please try again.' }]);
  expect(await usage(server)).toEqual({ used: 0, reserved: 0 });
  expect(await readdir(join(server.folder, 'assets'))).toEqual([]);
  expect(server.logged()).toContain('disk /secret/path is full');
});

test('503: more renders than may wait', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const exportAs = async () => {
    await promise;
    return Buffer.from('late');
  };
  await using server = await start({ PLATEN_RENDER_QUEUE: '0', PLATEN_RENDER_CONCURRENCY: '1' }, exportAs);
  const template = await storeShapes(server);
  // The requests differ, because simultaneous equal renders are drawn once.
  const wanted = Array.from({ length: 70 }, (_, i) =>
    post(server, { template, modifications: { box: `rgb(${i}, 0, 0)` } }),
  );
  // Nothing is drawn until every request has been accepted or refused.
  const answered: Answer[] = [];
  for (const one of wanted) void one.then((answer) => answered.push(answer));
  await vi.waitFor(() => expect(answered).toHaveLength(6), { timeout: 30_000 });
  for (const { status, headers } of answered) expect([status, headers['retry-after']]).toEqual([503, '5']);
  resolve();
  const statuses = (await Promise.all(wanted)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(64);
  expect(await usage(server)).toEqual({ used: 64, reserved: 0 });
});

test('a pinned version is rendered as it was', async () => {
  const sizes: number[] = [];
  await using server = await start({}, async (_output, pages) => {
    for (const { width } of pages) sizes.push(width);
    return Buffer.from('x');
  });
  const id = await storeShapes(server);
  await server.services.templates.replace(server.account, id, { ...SHAPES, width: 80 });
  for (const template of [id, `${id}@1`, `${id}@2`]) expect((await post(server, { template })).status).toBe(200);
  expect(sizes).toEqual([80, 40, 80]);
  for (const pin of ['@3', '@0', '@01', '@x', '@', '@1@1', '@-1']) {
    expect((await post(server, { template: `${id}${pin}` })).status, pin).toBe(404);
  }
});

test('platen-warnings names what changed nothing', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const modifications = { boxx: 'red', été: 1 };
  const { status, headers } = await post(server, { template, modifications });
  expect(status).toBe(200);
  expect(headers['platen-warnings']).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(String(headers['platen-warnings']))).toEqual([
    'The template has no layer "boxx"; did you mean "box"?',
    'The template has no layer "été".',
  ]);
  expect((await post(server, { template })).headers['platen-warnings']).toBeUndefined();
});

test('__proto__ is a layer name like any other, and nothing is polluted', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const { headers } = await server.ask('/v1/renders', {
    method: 'POST',
    raw: `{"template":"${template}","modifications":{"__proto__":{"polluted":true},"box":{"__proto__":{"polluted":1}}}}`,
  });
  expect(JSON.parse(String(headers['platen-warnings']))).toEqual(
    expect.arrayContaining([expect.stringContaining('"__proto__"')]),
  );
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('GET /v1/renders/{id}: the job behind an asset, to its own account only', async () => {
  await using server = await start();
  const { json } = await post(server, { template: await storeShapes(server) });
  const path = `/v1/renders/${json.id}`;
  expect((await server.ask(path)).json).toEqual({
    id: json.id,
    status: 'done',
    kind: 'render',
    result: json,
    error: null,
    created_at: '2026-11-21T12:00:00.000Z',
  });
  for (const answer of [await server.ask(path, { key: server.otherKey }), await server.ask('/v1/renders/nope')]) {
    expect([answer.status, answer.json]).toEqual([404, { error: 'job not found' }]);
  }
});

test('an asset says what it is, may be kept for ever, and runs nothing', async () => {
  await using server = await start();
  const { json } = await post(server, { template: await storeShapes(server), output: 'jpeg' });
  const path = `/assets/${json.id}.jpeg`;
  const { headers } = await server.ask(path, { key: null });
  expect(headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': '9',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'content-disposition': `inline; filename="${json.id}.jpeg"`,
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"${json.id}.jpeg"`,
  });
  const etag = String(headers.etag);
  for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const again = await server.ask(path, { key: null, headers: { 'if-none-match': held } });
    expect([again.status, again.text, again.headers.etag], held).toEqual([304, '', etag]);
  }
  const head = await server.ask(path, { key: null, method: 'HEAD' });
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '9', '']);
});

test('an asset that does not exist is a 404', async () => {
  await using server = await start();
  const { json } = await post(server, { template: await storeShapes(server) });
  for (const name of [`${json.id}.pdf`, `${json.id}`, 'x.png', '..%2fplaten.sqlite', '../platen.sqlite', '%00.png']) {
    expect((await server.ask(`/assets/${name}`, { key: null })).status, name).toBe(404);
  }
});
