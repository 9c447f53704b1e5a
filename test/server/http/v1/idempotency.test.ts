// Tests Idempotency-Key on the POST endpoints (product section 4).

import { expect, test } from 'vitest';
import { NOW, SHAPES, serverUnderTest } from '../server-under-test.ts';

async function start(draw: () => Promise<void> = async () => {}, env = {}) {
  const clock = { now: NOW };
  const drawn: string[] = [];
  const server = await serverUnderTest(env, {
    clock: () => clock.now,
    exportAs: async (output) => {
      drawn.push(output);
      await draw();
      return Buffer.from('a picture');
    },
  });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const post = (idempotencyKey: string, json: object = { template: id, modifications: { nobody: 'x' } }, more = {}) =>
    server.post('/v1/renders', json, { headers: { 'idempotency-key': idempotencyKey }, ...more });
  const used = async () => (await server.services.storage.usage.totals(server.account, '2026-11')).used;
  return { ...server, clock, drawn, template: id, post, used };
}

const HOUR = 3_600_000;

test('the same key and body: the first answer again, with its status and warnings', async () => {
  await using server = await start();
  const first = await server.post('a');
  const second = await server.post('a');
  expect([second.status, second.text]).toEqual([200, first.text]);
  for (const header of ['content-type', 'platen-warnings']) expect(second.headers[header]).toBe(first.headers[header]);
  expect(first.headers['platen-warnings']).toContain('nobody');
  expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  expect([server.drawn.length, await server.used()]).toEqual([1, 1]);
});

test('other keys, and none, are other requests', async () => {
  await using server = await start();
  await server.post('a');
  await server.post('b');
  for (const _ of [1, 2]) await server.ask('/v1/renders', { method: 'POST', json: { template: server.template } });
  expect(await server.used()).toBe(4);
});

test('422: the same key with another body or at another endpoint', async () => {
  await using server = await start();
  await server.post('a');
  const other = await server.post('a', { template: server.template, output: 'pdf' });
  expect([other.status, other.json]).toEqual([
    422,
    { error: 'This Idempotency-Key was used for another request; take a new one.' },
  ]);
  const elsewhere = { method: 'POST', json: SHAPES, headers: { 'idempotency-key': 'a' } };
  expect((await server.ask('/v1/templates', elsewhere)).status).toBe(422);
  expect(await server.used()).toBe(1);
});

test('50 at once with one key: one render, one unit, one answer', async () => {
  await using server = await start(() => new Promise((resolve) => setTimeout(resolve, 100)));
  const answers = await Promise.all(Array.from({ length: 50 }, () => server.post('a')));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect([answers[0]?.status, server.drawn.length, await server.used()]).toEqual([200, 1, 1]);
});

test('422 while the first is still running', async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  await using server = await start(() => {
    begun.resolve();
    return finish.promise;
  });
  const first = server.post('a');
  await begun.promise;
  expect((await server.post('a', { template: server.template, output: 'pdf' })).status).toBe(422);
  finish.resolve();
  expect((await first).status).toBe(200);
});

test('what was refused or broke is not remembered', async () => {
  let broken = true;
  await using server = await start(
    async () => {
      if (broken) throw new Error('no ink');
    },
    { PLATEN_PLANS: '{"free":{"quota":1,"blocks":true},"pro":{"quota":1,"blocks":false}}' },
  );
  expect((await server.post('a', { template: 'tpl_nope' })).status).toBe(404);
  expect((await server.post('a', { template: server.template, output: 'gif' })).status).toBe(400);
  expect((await server.post('a')).status).toBe(500);
  broken = false;
  expect((await server.post('a')).status).toBe(200);
  expect((await server.post('b')).status).toBe(402);
  await server.services.accounts.setPlan(server.account, 'pro');
  expect((await server.post('b')).status).toBe(200);
});

test('it is there after a restart, and for 24 hours', async () => {
  await using server = await start();
  const { text } = await server.post('a');
  await server.restart();
  server.clock.now = new Date(NOW.getTime() + 24 * HOUR);
  expect((await server.post('a')).text).toBe(text);
  server.clock.now = new Date(NOW.getTime() + 24 * HOUR + 1);
  expect((await server.post('a')).text).not.toBe(text);
  expect(await server.used()).toBe(2);
});

test('each account has its own keys, and so have its live and its test keys', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.other, SHAPES);
  const { text } = await server.post('a', { template: server.template });
  expect((await server.post('a', { template: id }, { key: server.otherKey })).status).toBe(200);
  const tested = await server.post('a', { template: server.template }, { key: server.testKey });
  expect([tested.status, tested.text === text]).toEqual([200, false]);
});

test('400: a key that is empty, longer than 255 characters, or not ASCII', async () => {
  await using server = await start();
  for (const key of ['', 'x'.repeat(256), 'é']) {
    const { status, json } = await server.post(key);
    expect([status, json.error]).toEqual([400, 'Idempotency-Key must have 1 to 255 ASCII characters.']);
  }
  expect((await server.post('x'.repeat(255))).status).toBe(200);
  expect((await server.post('a', {}, { key: 'plt_live_wrong' })).status).toBe(401);
});

test('a template is stored once', async () => {
  await using server = await start();
  const ask = { method: 'POST', json: SHAPES, headers: { 'idempotency-key': 'a' } };
  const [first, second] = [await server.ask('/v1/templates', ask), await server.ask('/v1/templates', ask)];
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  expect((await server.services.templates.page(server.account)).items).toHaveLength(2);
});
