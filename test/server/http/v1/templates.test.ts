// Tests GET /v1/templates (Spec) and the management of templates (product section 5).

import { expect, test } from 'vitest';
import { SHAPES, serverUnderTest } from '../server-under-test.ts';

const pictures: string[] = [];
const start = (env = {}) =>
  serverUnderTest(env, {
    exportAs: async (output, pages, _resources, { scale, quality }) => {
      for (const { width, height } of pages) pictures.push(`${output} ${width}×${height} @${scale} q${quality}`);
      return Buffer.from('a picture');
    },
  });

test('create 201, read 200, replace 200, delete 204, and then 404', async () => {
  await using server = await start();
  const created = await server.post('/v1/templates', SHAPES);
  expect([created.status, created.json]).toEqual([
    201,
    { id: expect.stringMatching(/^tpl_[0-9A-Za-z]{22}$/), version: 1, ...SHAPES },
  ]);
  const path = `/v1/templates/${created.json.id}`;
  const read = await server.ask(path);
  expect([read.status, read.json]).toEqual([200, created.json]);

  const replaced = await server.ask(path, { method: 'PUT', json: { ...SHAPES, name: 'New' } });
  expect([replaced.status, replaced.json]).toEqual([200, { ...created.json, version: 2, name: 'New' }]);
  expect((await server.ask(path)).json.name).toBe('New');

  const deleted = await server.ask(path, { method: 'DELETE' });
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  for (const method of ['GET', 'DELETE']) expect((await server.ask(path, { method })).status).toBe(404);
  expect((await server.ask(path, { method: 'PUT', json: SHAPES })).status).toBe(404);
});

test('old versions stay, by ?version= and by @', async () => {
  await using server = await start();
  const { id } = (await server.post('/v1/templates', SHAPES)).json;
  await server.ask(`/v1/templates/${id}`, { method: 'PUT', json: { ...SHAPES, name: 'Two' } });
  for (const path of [`${id}?version=1`, `${id}@1`]) {
    expect((await server.ask(`/v1/templates/${path}`)).json).toMatchObject({ version: 1, name: 'Shapes' });
  }
  expect((await server.ask(`/v1/templates/${id}?version=3`)).status).toBe(404);
  expect((await server.ask(`/v1/templates/${id}?version=x`)).status).toBe(400);
  expect((await server.ask(`/v1/templates/${id}?version=1&version=2`)).status).toBe(400);
  expect((await server.ask(`/v1/templates/${id}@1`, { method: 'PUT', json: SHAPES })).status).toBe(404);
  expect((await server.ask(`/v1/templates/${id}/versions`)).json).toEqual({
    versions: [
      { version: 2, created_at: '2026-11-21T12:00:00.000Z' },
      { version: 1, created_at: '2026-11-21T12:00:00.000Z' },
    ],
  });
});

test('what was read can be sent back as it is', async () => {
  await using server = await start();
  const { json } = await server.post('/v1/templates', SHAPES);
  expect((await server.ask(`/v1/templates/${json.id}`, { method: 'PUT', json })).json).toEqual({ ...json, version: 2 });
});

test('400 with the path of what is wrong', async () => {
  await using server = await start();
  const broken = { ...SHAPES, layers: [{ name: 'box', type: 'shape', fil: 'red' }] };
  const { status, json } = await server.post('/v1/templates', broken);
  expect([status, json]).toEqual([
    400,
    { error: 'layers[0]: unknown property "fil" in layer "box"; did you mean "fill"?' },
  ]);
  for (const reserved of ['sig', 'scale', 'q']) {
    const layers = [{ name: reserved, type: 'text' }];
    expect((await server.post('/v1/templates', { ...SHAPES, layers })).status).toBe(400);
  }
  expect((await server.ask('/v1/templates')).json).toEqual({ templates: [] });
});

test('the list: summaries alone, last saved first, in pages of at most 200, also for a key limited to the oldest', async () => {
  await using server = await start();
  const ids: string[] = [];
  for (let count = 0; count < 202; count += 1) {
    ids.push((await server.services.templates.create(server.account, { ...SHAPES, name: `T${count}` })).id);
  }
  await server.services.templates.create(server.other, SHAPES);
  await server.services.templates.replace(server.account, ids[0] ?? '', SHAPES);
  type Listed = { templates: Record<string, unknown>[]; next?: string };
  const { templates, next } = (await server.ask('/v1/templates')).json as Listed;
  expect(templates).toHaveLength(200);
  expect(templates[0]).toEqual({ id: ids[0], name: 'Shapes', width: 40, height: 20, engine: 'layers' });
  expect(templates[1]?.id).toBe(ids[201]);
  const rest = (await server.ask(`/v1/templates?after=${encodeURIComponent(next ?? '')}&limit=5`)).json as Listed;
  expect(rest).toEqual({ templates: ['T2', 'T1'].map((name) => expect.objectContaining({ name })) });

  const oldest = ids[1] ?? '';
  const scope = { rights: ['read'], templates: [oldest] } as const;
  const { key } = await server.services.keys.create(server.account, 'live', undefined, scope);
  expect((await server.ask('/v1/templates', { key })).json).toEqual({
    templates: [expect.objectContaining({ id: oldest })],
  });
});

test('its versions are listed in pages, newest first', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  for (let count = 0; count < 2; count += 1) await server.services.templates.replace(server.account, id, SHAPES);
  const list = async (query: string) => {
    const { json } = await server.ask(`/v1/templates/${id}/versions${query}`);
    const { versions, next } = json as { versions: { version: number }[]; next?: string };
    return [versions.map(({ version }) => version), next];
  };
  expect(await list('')).toEqual([[3, 2, 1], undefined]);
  expect(await list('?limit=2')).toEqual([[3, 2], '2']);
  expect(await list('?after=2')).toEqual([[1], undefined]);
});

test('another account’s template is a 404 on every route', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.other, SHAPES);
  const path = `/v1/templates/${id}`;
  const answers = [
    await server.ask(path),
    await server.ask(path, { method: 'PUT', json: SHAPES }),
    await server.ask(path, { method: 'DELETE' }),
    await server.ask(`${path}/versions`),
    await server.post(`${path}/preview`, {}),
  ];
  for (const { status, json } of answers)
    expect([status, json]).toEqual([404, { error: `Template "${id}" not found.` }]);
  expect((await server.ask(path, { key: server.otherKey })).status).toBe(200);
});

test('a preview is bytes, and neither counted nor kept', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const path = `/v1/templates/${id}/preview`;
  const { status, headers, text } = await server.post(path, {
    modifications: { box: 'red', bax: 1 },
    output: 'webp',
    scale: 2,
    quality: 50,
  });
  expect([status, text, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'a picture',
    'image/webp',
    'no-store',
  ]);
  expect(headers['platen-warnings']).toContain('bax');
  expect(pictures.at(-1)).toBe('webp 40×20 @2 q50');
  expect(await server.services.storage.usage.totals(server.account, '2026-11')).toEqual({ used: 0, reserved: 0 });
  for (const body of [{ output: 'gif' }, { scale: 4 }, { scale: 0 }, { quality: 101 }, { modifications: [] }]) {
    expect((await server.post(path, body)).status, JSON.stringify(body)).toBe(400);
  }
});

test('a layout says where layers end up, and draws and counts nothing', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const path = `/v1/templates/${id}/layout`;
  const drawn = pictures.length;
  const modifications = { box: { width: 7, height: 5, x: 2 }, bax: 1 };
  const { status, headers, json } = await server.post(path, { modifications });
  expect([status, headers['platen-warnings']]).toEqual([200, expect.stringContaining('bax')]);
  expect(json).toMatchObject({
    width: 40,
    height: 20,
    layers: [{ name: 'box', frame: null, x: 2, width: 7, height: 5 }],
  });
  expect(pictures.length).toBe(drawn);
  expect(await server.services.storage.usage.totals(server.account, '2026-11')).toEqual({ used: 0, reserved: 0 });
  expect((await server.post(path, { modifications: { box: { width: -1 } } })).status).toBe(400);
  expect((await server.post(path, {}, { key: server.otherKey })).status).toBe(404);
});

test('previews are limited in rate', async () => {
  await using server = await start({ PLATEN_PREVIEWS_PER_MINUTE: '2' });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const preview = () => server.post(`/v1/templates/${id}/preview`, {});
  expect([(await preview()).status, (await preview()).status]).toEqual([200, 200]);
  const { status, headers } = await preview();
  expect([status, headers['retry-after']]).toEqual([429, '30']);
});

test('the schema of templates is published without a key', async () => {
  await using server = await start();
  const { status, json } = await server.ask('/v1/schema/template.json', { key: null });
  expect([status, json.$schema]).toEqual([200, 'https://json-schema.org/draft/2020-12/schema']);
  expect(JSON.stringify(json)).toContain('"Platen template"');
});

test('html that renderer "satori" cannot draw is refused when it is saved', async () => {
  await using server = await serverUnderTest();
  const save = (more: object) =>
    server.post('/v1/templates', {
      name: 'Page',
      width: 9,
      height: 9,
      engine: 'html',
      renderer: 'satori',
      html: '<p>Hello</p>',
      ...more,
    });
  const refused: readonly (readonly [object, RegExp])[] = [
    [
      { html: '<p>\n<iframe></iframe>' },
      /^html, line 2: <iframe> cannot be drawn with renderer "satori"; change it, or use/,
    ],
    [{ script: true }, /^script: scripts run with renderer "chromium" only/],
    [
      { css: 'p { column-count: 2 }' },
      /^css, line 1: the property column-count cannot be drawn with renderer "satori"/,
    ],
  ];
  for (const [more, message] of refused) {
    const { status, json } = await save(more);
    expect([status, json.error]).toEqual([400, expect.stringMatching(message)]);
  }
  const { status, json } = await save({});
  expect(status).toBe(201);
  const again = { ...json, html: '<iframe></iframe>' };
  const replaced = await server.ask(`/v1/templates/${json.id}`, { method: 'PUT', json: again });
  expect(replaced.status).toBe(400);
});

test('scripts that will not run are reported when a template is saved, and when it is drawn', async () => {
  await using server = await serverUnderTest();
  const page = { name: 'Page', width: 200, height: 100, engine: 'html' };
  const warned = async (more: object) => {
    const { status, headers } = await server.post('/v1/templates', { ...page, ...more });
    return [status, headers['platen-warnings'] ?? null];
  };
  const chromium = 'html, line 2: <script> does not run; to run it, set "script": true.';
  const html = '<p>Hello</p>\n<script>document.body.append(1)</script>';
  expect(await warned({ html })).toEqual([201, JSON.stringify([chromium])]);
  expect(await warned({ html, script: true })).toEqual([201, null]);
  expect(await warned({ html: '<script src="a.js"></script>', script: true })).toEqual([
    201,
    '["html, line 1: <script src> does not run, as no page loads scripts; write its text into the page."]',
  ]);
  expect(await warned({ html: '<script type="application/ld+json">{}</script>' })).toEqual([201, null]);
  expect(await warned({ html: '<script type="module" src="https://example.com/a.js"></script>' })).toEqual([
    201,
    expect.stringContaining('<script> does not run'),
  ]);

  const { json } = await server.post('/v1/templates', { ...page, renderer: 'satori', html });
  const drawn = await server.post('/v1/renders', { template: json.id });
  expect([drawn.status, drawn.headers['platen-warnings']]).toEqual([
    200,
    JSON.stringify(['html, line 2: <script> does not run; to run it, use renderer "chromium" with "script": true.']),
  ]);
});

test('a preview of a document says how many pages it has, whichever of them it shows', async () => {
  await using server = await start();
  const lines = Array.from({ length: 5 }, (_, i) => ({ name: `line-${i}`, type: 'shape', width: 100, height: 350 }));
  const { json } = await server.post('/v1/templates', {
    name: 'Three pages',
    page: { size: 'A5', margin: 10 },
    layers: [{ name: 'body', type: 'frame', flow: true, layout: {}, children: lines }],
  });
  expect(json.error).toBe(undefined);
  const pagesOf = async (id: string, body: object) =>
    (await server.post(`/v1/templates/${id}/preview`, body)).headers['platen-pages'];
  const id = String(json.id);
  expect(await pagesOf(id, {})).toBe('3');
  expect(await pagesOf(id, { page: 2 })).toBe('3');
  const plain = String((await server.post('/v1/templates', SHAPES)).json.id);
  expect(await pagesOf(plain, {})).toBe(undefined);
});
