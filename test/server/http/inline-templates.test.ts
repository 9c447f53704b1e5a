// Tests renders of templates that come with the request: POST /v1/renders with a document as `template`.

import { expect, test, vi } from 'vitest';
import { type Ask, type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';
import { studioUnderTest } from './studio/studio-under-test.ts';

const start = (env = {}) => serverUnderTest(env, { exportAs: async () => Buffer.from('a picture') });

const post = ({ post }: ServerUnderTest, json: unknown, path = '/v1/renders', more: Ask = {}) => post(path, json, more);

const usage = (server: ServerUnderTest) => server.services.storage.usage.totals(server.account, '2026-11');

test('a document is rendered, counted and stored like a stored template, and is not stored itself', async () => {
  await using server = await start();
  const { status, json, headers } = await post(server, { template: SHAPES, modifications: { box: 'red', bxo: 'x' } });
  expect([status, json]).toEqual([200, { id: json.id, url: `${server.url}/assets/${json.id}.png`, output: 'png' }]);
  expect(headers['platen-warnings']).toContain('bxo');
  expect((await server.ask(new URL(String(json.url)).pathname, { key: null })).text).toBe('a picture');
  expect(await usage(server)).toEqual({ used: 1, reserved: 0 });
  expect((await server.ask('/v1/templates')).json).toEqual({ templates: [] });
  expect((await server.ask(`/v1/renders/${json.id}`)).json).toMatchObject({ status: 'done', kind: 'render' });
});

test('it may be sent as a template was read, with id and version', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const stored = (await server.ask(`/v1/templates/${id}`)).json;
  expect((await post(server, { template: stored })).status).toBe(200);
});

test('400: an error names its place in the template or the modifications, and nothing is counted', async () => {
  await using server = await start();
  const layer = { name: 'box', type: 'shape', width: -1, height: 20 };
  const wrong: readonly [unknown, string][] = [
    [{ ...SHAPES, layers: [layer] }, 'template.layers[0].width: '],
    [{ width: 4, height: 4 }, 'template.name: '],
    [{ name: 'x', width: 4, height: 4, engine: 'hmtl' }, 'template.engine: must be one of'],
    [
      { name: 'x', width: 4, height: 4, engine: 'html', renderer: 'satori', html: '<iframe></iframe>' },
      'cannot be drawn with renderer "satori"',
    ],
    [[SHAPES], 'templateId is required. "template" must be a string that is not empty, or a template.'],
  ];
  for (const [template, message] of wrong) {
    const { status, json } = await post(server, { template });
    expect([status, json]).toEqual([400, { error: expect.stringContaining(message) }]);
  }
  const { json } = await post(server, { template: SHAPES, modifications: { box: { opacity: 2 } } });
  expect(json).toEqual({ error: 'modifications.box.opacity: must be at most 1' });
  expect(await usage(server)).toEqual({ used: 0, reserved: 0 });
});

test('402: the quota holds', async () => {
  await using server = await start({ PLATEN_PLANS: '{"free":{"quota":1,"blocks":true}}' });
  const answers = await Promise.all([1, 2, 3].map(() => post(server, { template: SHAPES })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
});

test('a job keeps the document, and an Idempotency-Key gives the same job again', async () => {
  await using server = await start();
  const again = () =>
    post(server, { template: SHAPES, async: true }, '/v1/renders', { headers: { 'idempotency-key': 'once' } });
  const { status, json } = await again();
  expect(status).toBe(202);
  expect((await again()).json).toEqual(json);
  await vi.waitFor(async () => {
    expect((await server.ask(`/v1/renders/${json.id}`)).json.status).toBe('done');
  });
  expect(await usage(server)).toEqual({ used: 1, reserved: 0 });
});

test('a job is refused before it is accepted when its document is no template', async () => {
  await using server = await start();
  expect((await post(server, { template: { ...SHAPES, width: 0 }, async: true })).status).toBe(400);
});

test('in a batch: as the template of all items, which is checked once, and of single ones', async () => {
  await using server = await start();
  const shared = await post(server, { template: SHAPES, items: [{}, { box: 'red' }] }, '/v1/renders/batch');
  expect(shared.json).toMatchObject({ count: 2, ok: 2 });
  const renders = [{ template: SHAPES }, { template: { ...SHAPES, height: 0 } }, { template: 'tpl_nope' }];
  const { json } = await post(server, { renders }, '/v1/renders/batch');
  expect(json).toMatchObject({
    ok: 1,
    results: [
      { output: 'png' },
      { error: 'template.height: must be at least 1' },
      { error: 'Template "tpl_nope" not found.' },
    ],
  });
  expect(await usage(server)).toEqual({ used: 3, reserved: 0 });
});

test('an item of a batch may hold no more than a template of its own request', async () => {
  await using server = await start();
  const layers = Array.from({ length: 10_001 }, () => 0);
  const { json } = await post(server, { renders: [{ template: { ...SHAPES, layers } }] }, '/v1/renders/batch');
  expect(json).toMatchObject({ ok: 0, results: [{ error: expect.stringMatching(/^template: has more than 10000/) }] });
});

test('an html document is drawn without a browser', async () => {
  await using server = await serverUnderTest();
  const html = '<div style="display:flex;width:40px;height:20px;background:#336699"></div>';
  const template = { name: 'Page', engine: 'html', renderer: 'satori', width: 40, height: 20, html };
  const { status, json } = await post(server, { template });
  expect(status).toBe(200);
  const { body } = await server.ask(new URL(String(json.url)).pathname, { key: null });
  expect(body.subarray(1, 4).toString()).toBe('PNG');
});

test('the studio names the template, runs it again, and hands it out to be kept', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const { json } = await post(server, { template: SHAPES, modifications: { box: 'red' } });
  const inline = { id: expect.stringMatching(/^inline@[0-9a-f]{64}$/), name: 'Shapes' };
  const { items } = (await ask('/renders')).json as { items: object[] };
  expect(items).toMatchObject([{ id: json.id, template: null, inline }]);
  const opened = (await ask(`/renders/${json.id}`)).json;
  expect(opened).toMatchObject({ inline, modifications: { box: 'red' }, document: SHAPES });
  const again = await ask(`/renders/${json.id}/again`, { method: 'POST' });
  expect(again.status).toBe(202);
  await vi.waitFor(async () => {
    expect((await ask(`/renders/${again.json.id}`)).json).toMatchObject({ status: 'done', inline });
  });
});

test('what is too long to keep is named, and cannot be run again from the studio', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const { json } = await post(server, {
    template: { ...SHAPES, name: 'Long' },
    modifications: { x: 'y'.repeat(40_000) },
  });
  expect((await ask(`/renders/${json.id}`)).json).toMatchObject({
    inline: { name: 'Long' },
    modifications: null,
    document: null,
  });
  const again = await ask(`/renders/${json.id}/again`, { method: 'POST' });
  expect([again.status, again.json.error]).toEqual([409, expect.stringContaining('too long to be kept')]);
});
