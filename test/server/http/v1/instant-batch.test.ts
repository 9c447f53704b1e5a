// Tests POST /v1/renders/batch (Spec): both shapes of the body, errors in place, metering per item.

import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { type Export, type ServerUnderTest, SHAPES, serverUnderTest } from '../server-under-test.ts';

const drawn: Export = async () => Buffer.from('a picture');
const start = (env = {}, exportAs = drawn) => serverUnderTest(env, { exportAs });

const storeShapes = async ({ services, account }: ServerUnderTest) =>
  (await services.templates.create(account, SHAPES)).id;
const post = (server: ServerUnderTest, json: unknown) => server.ask('/v1/renders/batch', { method: 'POST', json });
const usage = (server: ServerUnderTest) => server.services.storage.usage.totals(server.account, '2026-11');

/** The output of each item, or its error. */
const outcomes = (json: Record<string, unknown>) =>
  (json.results as { output?: string; error?: string }[]).map(({ output, error }) => output ?? error);

test('shape A: each item with its own template, modifications and output; templateId is an alias', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const { status, json } = await post(server, {
    renders: [{ template }, { templateId: template, output: 'pdf', modifications: { box: 'red' } }],
  });
  expect(status).toBe(200);
  const result = (output: string) => ({
    id: expect.stringMatching(/^rnd_\w{22}$/),
    url: expect.stringMatching(new RegExp(`^${server.url}/assets/rnd_\\w{22}\\.${output}$`)),
    output,
  });
  expect(json).toEqual({ results: [result('png'), result('pdf')], count: 2, ok: 2 });
  expect(await usage(server)).toEqual({ used: 2, reserved: 0 });
});

test('shape B: one template; an item is modifications, or {modifications, output} if it has no other keys', async () => {
  const fills: string[] = [];
  await using server = await start({}, async (_output, list) => {
    fills.push(/"r":(\d+)/.exec(JSON.stringify(list))?.[1] ?? 'none');
    return Buffer.from('x');
  });
  const { json } = await post(server, {
    templateId: await storeShapes(server),
    output: 'webp',
    items: [
      { box: '#010000' },
      { modifications: { box: '#020000' } },
      { modifications: { box: '#030000' }, output: 'jpeg' },
      { output: 'pdf' },
      {},
      { output: 'pdf', box: '#040000' },
      { modifications: { box: '#050000' }, box: '#060000' },
    ],
  });
  expect(outcomes(json)).toEqual(['webp', 'webp', 'jpeg', 'pdf', 'webp', 'webp', 'webp']);
  expect(fills.toSorted()).toEqual(['1', '2', '3', '4', '51', '51', '6']);
});

test('400: what is wrong with the batch itself', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const none = 'The batch has no items; send renders, or template and items.';
  const items = (count: number) => Array.from({ length: count }, () => ({}));
  const cases: [unknown, string][] = [
    [{}, none],
    [{ renders: [] }, none],
    [{ items: [] }, none],
    [{ template }, none],
    [{ template, items: [] }, none],
    [{ renders: null }, none],
    [{ renders: 'x' }, 'renders: must be a list of renders, such as [{"template": "tpl_…"}]'],
    [{ template, items: { 0: {} } }, 'items: must be a list of modifications, such as [{"title": "Hello"}]'],
    [{ items: [{}] }, expect.stringMatching(/^templateId is required\./)],
    [{ template: 5, items: [{}] }, expect.stringMatching(/^templateId is required\./)],
    [{ template, items: [{}], output: 'gif' }, 'output: must be one of "png", "jpeg", "webp", "avif", "pdf"'],
    [{ template, items: items(51) }, 'Batch too large (51); max 50.'],
    [{ renders: items(100_000) }, 'Batch too large (100000); max 50.'],
  ];
  for (const [body, error] of cases) {
    const answer = await post(server, body);
    expect([answer.status, answer.json]).toEqual([400, { error }]);
  }
  expect(await usage(server)).toEqual({ used: 0, reserved: 0 });
  expect((await server.post('/v1/renders/batch', {}, { key: null })).status).toBe(401);
  expect((await server.ask('/v1/renders/batch')).status).toBe(404);
});

test('50 items, 25 of them bad: 200, each error in its place, 25 units', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const items = Array.from({ length: 50 }, (_, index) => ({ box: index % 2 === 0 ? 'red' : { opacity: 2 } }));
  const { status, json } = await post(server, { template, items });
  expect([status, json.count, json.ok]).toEqual([200, 50, 25]);
  const expected = items.map((_, index) => (index % 2 === 0 ? 'png' : 'modifications.box.opacity: must be at most 1'));
  expect(outcomes(json)).toEqual(expected);
  expect(await usage(server)).toEqual({ used: 25, reserved: 0 });
});

test('every way in which an item can fail is told in its place', async () => {
  await using server = await start({}, async (output) => {
    if (output === 'jpeg') throw new AppError('invalid_request', 'Layer "photo": The server answered 404.');
    if (output === 'webp') throw new Error('disk /secret/path is full');
    return Buffer.from('x');
  });
  const template = await storeShapes(server);
  const { json } = await post(server, {
    renders: [
      {},
      5,
      null,
      [],
      { template: 'nope' },
      { template, output: 'gif' },
      { template, modifications: 'x' },
      { template, output: 'jpeg' },
      { template, output: 'webp' },
      { template },
    ],
  });
  expect(outcomes(json)).toEqual([
    expect.stringMatching(/^templateId is required\./),
    expect.stringMatching(/^renders\[1\]: must be an object: a render, such as/),
    expect.stringMatching(/^renders\[2\]: must be an object: a render/),
    expect.stringMatching(/^renders\[3\]: must be an object, not a list: a render/),
    'Template "nope" not found.',
    'output: must be one of "png", "jpeg", "webp", "avif", "pdf"',
    expect.stringMatching(/^modifications: must be an object, not a string: the names of layers/),
    'Layer "photo": The server answered 404.',
    'Something went wrong on our side; please try again.',
    'png',
  ]);
  expect(json).toMatchObject({ count: 10, ok: 1 });
  expect(await usage(server)).toEqual({ used: 1, reserved: 0 });
  expect(server.logged()).toContain('disk /secret/path is full');
});

test('an item over quota is an error in its place; the batch answers 200', async () => {
  await using server = await start({ PLATEN_PLANS: '{"free":{"quota":3,"blocks":true}}' });
  const { status, json } = await post(server, { template: await storeShapes(server), items: [{}, {}, {}, {}, {}] });
  expect([status, json.count, json.ok]).toEqual([200, 5, 3]);
  const refused = 'The 3 renders a month of the plan "free" are used up; upgrade to continue.';
  expect(outcomes(json).filter((outcome) => outcome === refused)).toHaveLength(2);
  expect(await usage(server)).toEqual({ used: 3, reserved: 0 });
});

test.each([
  [{}, 5],
  [{ PLATEN_BATCH_CONCURRENCY: '2' }, 2],
])('with %j it renders %d items at once', async (env, expected) => {
  let runToEnd = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  const exportAs: Export = async () => {
    runToEnd += 1;
    most = Math.max(most, runToEnd);
    // Long enough for an item beyond the limit to begin.
    if (runToEnd === expected) setTimeout(full.resolve, 50);
    await full.promise;
    runToEnd -= 1;
    return Buffer.from('x');
  };
  await using server = await start({ PLATEN_RENDER_CONCURRENCY: '50', ...env }, exportAs);
  // The items differ, because simultaneous equal renders are drawn once.
  const items = Array.from({ length: 12 }, (_, i) => ({ box: `rgb(${i}, 0, 0)` }));
  expect((await post(server, { template: await storeShapes(server), items })).json.ok).toBe(12);
  expect(most).toBe(expected);
});

test('platen-warnings name the item', async () => {
  await using server = await start();
  const { headers } = await post(server, { template: await storeShapes(server), items: [{}, { boxx: 'red' }] });
  expect(JSON.parse(String(headers['platen-warnings']))).toEqual([
    'Item 1: The template has no layer "boxx"; did you mean "box"?',
  ]);
});

test('a body of 8 MiB is read, one more byte is 413', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const body = (size: number) => {
    const frame = JSON.stringify({ template, items: [{}], padding: '' });
    return JSON.stringify({ template, items: [{}], padding: 'x'.repeat(size - frame.length) });
  };
  const limit = 8 * 1024 * 1024;
  const send = (raw: string) => server.ask('/v1/renders/batch', { method: 'POST', raw });
  expect((await send(body(limit))).status).toBe(200);
  expect((await send(body(limit + 1))).status).toBe(413);
});
