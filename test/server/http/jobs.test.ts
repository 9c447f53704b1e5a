// Tests async renders, GET /v1/renders/{id} in all states, and the completion webhook (Spec; product: jobs and
// webhooks).

import { createHmac } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { AppError } from '#base/errors.ts';
import type { World } from '#server/start-server.ts';
import { receiver } from '../../webhook-receiver.ts';
import { type Export, NOW, type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const drawn: Export = async () => Buffer.from('a picture');
const start = (env = {}, exportAs: Export = drawn, world: Partial<World> = {}) =>
  serverUnderTest({ PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', ...env }, { exportAs, ...world });

const storeShapes = async ({ services, account }: ServerUnderTest) =>
  (await services.templates.create(account, SHAPES)).id;
const post = (server: ServerUnderTest, json: unknown, key = server.key) => server.post('/v1/renders', json, { key });
const poll = async (server: ServerUnderTest, id: unknown) => (await server.ask(`/v1/renders/${id}`)).json;
const ended = (server: ServerUnderTest, id: unknown) =>
  vi.waitFor(
    async () => {
      const job = await poll(server, id);
      expect(job.status).toMatch(/done|error/);
      return job;
    },
    { timeout: 10_000, interval: 20 },
  );
const usage = (server: ServerUnderTest) => server.services.storage.usage.totals(server.account, '2026-11');

/** An export that waits until `release` is called. */
function held(): { exportAs: Export; release: () => void; begun: Promise<void> } {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const exportAs: Export = async () => {
    begun.resolve();
    await gate.promise;
    return Buffer.from('a picture');
  };
  return { exportAs, release: gate.resolve, begun: begun.promise };
}

test('async: 202 queued, then processing, then done with its result', async () => {
  const { exportAs, release, begun } = held();
  await using server = await start({ PLATEN_JOB_CONCURRENCY: '1' }, exportAs);
  const template = await storeShapes(server);
  const first = await post(server, { template, async: true, output: 'webp' });
  expect([first.status, first.json]).toEqual([202, { id: expect.stringMatching(/^rnd_\w{22}$/), status: 'queued' }]);
  const second = await post(server, { template, async: true });
  await begun;
  const open = { kind: 'render', result: null, error: null, created_at: NOW.toISOString() };
  expect(await poll(server, first.json.id)).toEqual({ id: first.json.id, status: 'processing', ...open });
  expect(await poll(server, second.json.id)).toEqual({ id: second.json.id, status: 'queued', ...open });
  expect(await usage(server)).toEqual({ used: 0, reserved: 2 });
  release();
  const url = `${server.url}/assets/${first.json.id}.webp`;
  expect(await ended(server, first.json.id)).toEqual({
    ...open,
    id: first.json.id,
    status: 'done',
    result: { id: first.json.id, url, output: 'webp' },
  });
  expect((await server.ask(new URL(url).pathname, { key: null })).text).toBe('a picture');
  await ended(server, second.json.id);
  expect(await usage(server)).toEqual({ used: 2, reserved: 0 });
});

test('404 job not found: unknown, and another account’s in every state', async () => {
  const { exportAs, release, begun } = held();
  await using server = await start({}, exportAs);
  const { json } = await post(server, { template: await storeShapes(server), async: true });
  const refused = async () => {
    const { status, json: body } = await server.ask(`/v1/renders/${json.id}`, { key: server.otherKey });
    expect([status, body]).toEqual([404, { error: 'job not found' }]);
  };
  await begun;
  await refused();
  release();
  await ended(server, json.id);
  await refused();
});

test('what can be said against a job is said at once, and leaves nothing behind', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const hook = 'https://example.com/hook';
  const cases: [unknown, number, unknown][] = [
    [{ async: true }, 400, expect.stringMatching(/^templateId is required\./)],
    [{ template: 'nope', async: true }, 404, 'Template "nope" not found.'],
    [{ template: 'nope', webhookUrl: hook }, 404, 'Template "nope" not found.'],
    [{ template, async: 'true' }, 400, 'async: must be a boolean; write true without quotes'],
    [{ template, async: 1 }, 400, 'async: must be a boolean'],
    [{ template, webhookUrl: 5 }, 400, 'webhookUrl: must be a string'],
    [
      { template, async: true, modifications: { box: { opacity: 2 } } },
      400,
      'modifications.box.opacity: must be at most 1',
    ],
    [{ template, async: true, output: 'gif' }, 400, 'output: must be one of "png", "jpeg", "webp", "avif", "pdf"'],
    ...[
      '',
      'nope',
      'ftp://example.com/',
      'http://10.0.0.1/h',
      'http://[::1]/h',
      'http://0x0a000001/h',
      'http://169.254.169.254/',
      'https://u:p@example.com/',
      'https://example.com/\r\nX-Injected: 1',
      'javascript:alert(1)',
      `https://example.com/${'a'.repeat(2048)}`,
    ].map((webhookUrl): [unknown, number, unknown] => [
      { template, webhookUrl },
      400,
      expect.stringMatching(/^webhookUrl: URL not allowed\. [A-Z]/),
    ]),
  ];
  for (const [body, status, error] of cases) {
    const answer = await post(server, body);
    expect([answer.status, answer.json], JSON.stringify(body)).toEqual([status, { error }]);
  }
  expect(await usage(server)).toEqual({ used: 0, reserved: 0 });
  expect(await server.services.storage.jobs.claim('test', 9, NOW, NOW, { after: '', first: [] })).toEqual([]);
});

test('402 when a job is accepted, after validation; not for a test key', async () => {
  await using server = await start({ PLATEN_PLANS: '{"free":{"quota":1,"blocks":true}}' });
  const template = await storeShapes(server);
  const { json } = await post(server, { template, async: true });
  await ended(server, json.id);
  expect((await post(server, { template, async: true })).status).toBe(402);
  expect((await post(server, { template, async: true, modifications: { box: { opacity: 2 } } })).status).toBe(400);
  const free = await post(server, { template, async: true }, server.testKey);
  expect(free.status).toBe(202);
  expect((await ended(server, free.json.id)).status).toBe('done');
  expect(await usage(server)).toEqual({ used: 1, reserved: 0 });
});

test.each([
  ['jobs', { async: true }, 202],
  ['renders', {}, 200],
] as const)('of 200 %s at once with 10 units left exactly 10 succeed', async (_what, delivery, success) => {
  await using server = await start({ PLATEN_PLANS: '{"free":{"quota":10,"blocks":true}}' });
  const template = await storeShapes(server);
  const answers = await Promise.all(Array.from({ length: 200 }, () => post(server, { template, ...delivery })));
  expect(answers.filter(({ status }) => status === success)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(190);
  for (const { status, json } of answers) if (status === success) await ended(server, json.id);
  expect(await usage(server)).toEqual({ used: 10, reserved: 0 });
});

test('platen-warnings come with the 202', async () => {
  await using server = await start();
  const template = await storeShapes(server);
  const { headers } = await post(server, { template, async: true, modifications: { boxx: 'red' } });
  expect(headers['platen-warnings']).toBe(String.raw`["The template has no layer \"boxx\"; did you mean \"box\"?"]`);
});

test('a job renders the version that it was accepted with', async () => {
  const widths: number[] = [];
  await using server = await start({ PLATEN_JOB_CONCURRENCY: '1' }, async (_output, pages) => {
    for (const { width } of pages) widths.push(width);
    return Buffer.from('x');
  });
  const template = await storeShapes(server);
  const [before] = await Promise.all([post(server, { template, async: true })]);
  await server.services.templates.replace(server.account, template, { ...SHAPES, width: 80 });
  await ended(server, before.json.id);
  expect(widths).toEqual([40]);
});

test('a failure that would repeat itself ends the job at once, costs nothing and is announced', async () => {
  await using hooks = await receiver();
  let tries = 0;
  await using server = await start({}, async () => {
    tries += 1;
    throw new AppError('invalid_request', 'Layer "photo": The server answered 404.');
  });
  const { json } = await post(server, { template: await storeShapes(server), webhookUrl: hooks.url });
  expect(await ended(server, json.id)).toMatchObject({
    status: 'error',
    result: null,
    error: 'Layer "photo": The server answered 404.',
  });
  expect(tries).toBe(1);
  expect(await usage(server)).toEqual({ used: 0, reserved: 0 });
  const [request] = await hooks.received(1);
  expect(JSON.parse(request?.body ?? '')).toEqual({
    id: json.id,
    status: 'error',
    result: null,
    error: 'Layer "photo": The server answered 404.',
  });
});

test('a failure of ours is tried again twice, 2 s and 8 s later', async () => {
  const clock = { now: NOW };
  const tries: number[] = [];
  const exportAs: Export = async () => {
    tries.push(clock.now.getTime() - NOW.getTime());
    throw new Error('disk /secret/path is full');
  };
  await using server = await start({}, exportAs, { clock: () => clock.now, random: () => 0.5 });
  const { json } = await post(server, { template: await storeShapes(server), async: true });
  for (const [count, pause] of [
    [1, 2_000],
    [2, 8_000],
  ] as const) {
    await vi.waitFor(
      async () => expect([tries.length, (await poll(server, json.id)).status]).toEqual([count, 'queued']),
      { timeout: 10_000 },
    );
    clock.now = new Date(clock.now.getTime() + pause);
  }
  expect(await ended(server, json.id)).toMatchObject({
    status: 'error',
    error: 'Something went wrong on our side; please try again.',
  });
  expect(tries).toEqual([0, 2_000, 10_000]);
  expect(await usage(server)).toEqual({ used: 0, reserved: 0 });
  expect(await readdir(join(server.folder, 'assets'))).toEqual([]);
  expect(server.logged()).toContain('disk /secret/path is full');
});

test('a webhook has the body, the signatures and the headers of the spec', async () => {
  await using hooks = await receiver();
  await using server = await start();
  const { status, json } = await post(server, { template: await storeShapes(server), webhookUrl: hooks.url });
  expect(status).toBe(202);
  const [request] = await hooks.received(1);
  const body = request?.body ?? '';
  const headers = request?.headers ?? {};
  const result = { id: json.id, url: `${server.url}/assets/${json.id}.png`, output: 'png' };
  expect(body).toBe(JSON.stringify({ id: json.id, status: 'done', result, error: null }));
  expect(headers['content-type']).toBe('application/json');

  const { webhook } = await server.services.accounts.secrets(server.account);
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  expect(headers['x-platen-signature']).toBe(`sha256=${sign(webhook, body).digest('hex')}`);
  expect(headers['webhook-id']).toMatch(/^msg_\w{22}$/);
  expect(headers['webhook-timestamp']).toBe(String(NOW.getTime() / 1000));
  const message = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(webhook.slice('whsec_'.length), 'base64');
  expect(headers['webhook-signature']).toBe(`v1,${sign(key, message).digest('base64')}`);
  expect(server.logged()).not.toContain(webhook);
});
