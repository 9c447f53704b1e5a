// Tests metering (Spec), and plans, `GET /v1/usage` and what is counted (product section 2).

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SHAPES, serverUnderTest } from '../server-under-test.ts';

async function start(quota: number, blocks: boolean, draw: () => Promise<Buffer> = async () => Buffer.from('x')) {
  const clock = { now: new Date('2026-11-30T23:59:59Z') };
  const plans = JSON.stringify({ free: { quota, blocks } });
  const server = await serverUnderTest({ PLATEN_PLANS: plans }, { clock: () => clock.now, exportAs: draw });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const render = (key = server.key) => server.post('/v1/renders', { template: id }, { key });
  const usage = async () => (await server.ask('/v1/usage')).json;
  return { ...server, clock, template: id, render, usage };
}

test('GET /v1/usage of a free plan', async () => {
  await using server = await start(2, true);
  expect(await server.usage()).toMatchObject({ plan: 'free', period: '2026-11', quota: 2, used: 0, overage: 0 });
  for (const status of [200, 200, 402]) expect((await server.render()).status).toBe(status);
  expect(await server.usage()).toMatchObject({ plan: 'free', period: '2026-11', quota: 2, used: 2, overage: 0 });
});

test('GET /v1/usage says what is stored, by kind', async () => {
  await using server = await start(100, true, async () => Buffer.from('12345'));
  const { services, account } = server;
  const photo = await readFile('fixtures/assets/photo.jpg');
  const none = { count: 0, bytes: 0 };
  const stored = async () => (await server.usage()).stored;
  const templates = { count: 1, bytes: JSON.stringify(SHAPES).length };
  const empty = { images: none, fonts: none, brands: none, renders: { ...none, limit: null } };
  expect(await stored()).toEqual({ bytes: templates.bytes, limit: null, templates, ...empty });

  await services.images.upload(account, photo);
  await services.brands.save(account, 'acme', { colors: { primary: '#1d4ed8' } });
  for (let count = 0; count < 3; count += 1) await server.render();
  server.clock.now = new Date('2026-12-01T00:00:10Z');
  const brand = await services.storage.brands.document(account, 'acme', 1);
  const brands = { count: 1, bytes: brand?.length ?? 0 };
  const bytes = templates.bytes + photo.length + brands.bytes;
  const kept = { images: { count: 1, bytes: photo.length }, renders: { count: 3, bytes: 15, limit: null } };
  expect(await stored()).toEqual({ bytes, limit: null, templates, fonts: none, brands, ...kept });
  expect((await server.ask('/v1/usage', { key: server.otherKey })).json.stored).toMatchObject({ bytes: 0 });
});

test('a paid plan is never blocked: what goes beyond is overage', async () => {
  await using server = await start(2, false);
  for (const status of [200, 200, 200, 200]) expect((await server.render()).status).toBe(status);
  expect(await server.usage()).toMatchObject({ plan: 'free', period: '2026-11', quota: 2, used: 4, overage: 2 });
});

test('a test key is neither metered nor blocked', async () => {
  await using server = await start(1, true);
  for (const status of [200, 402]) expect((await server.render()).status).toBe(status);
  expect((await server.render(server.testKey)).status).toBe(200);
  expect(await server.usage()).toMatchObject({ used: 1 });
});

test('a month is over when it is in UTC', async () => {
  await using server = await start(1, true);
  for (const status of [200, 402]) expect((await server.render()).status).toBe(status);
  server.clock.now = new Date('2026-12-01T00:00:00Z');
  expect((await server.render()).status).toBe(200);
  expect(await server.usage()).toMatchObject({ period: '2026-12', used: 1 });
});

test('a bad modification is a 400, not a 402, and costs nothing', async () => {
  await using server = await start(0, true);
  const json = { template: server.template, modifications: { box: { opacity: 2 } } };
  expect((await server.ask('/v1/renders', { method: 'POST', json })).status).toBe(400);
  expect((await server.render()).status).toBe(402);
});

test('a failure costs nothing', async () => {
  await using server = await start(1, true, async () => {
    throw new Error('no ink');
  });
  for (const status of [500, 500]) expect((await server.render()).status).toBe(status);
  expect(await server.usage()).toMatchObject({ used: 0 });
});

test('of 200 at once with 10 left exactly 10 succeed', async () => {
  await using server = await start(10, true);
  const statuses = await Promise.all(Array.from({ length: 200 }, async () => (await server.render()).status));
  expect(Object.groupBy(statuses, String)).toMatchObject({ 200: { length: 10 }, 402: { length: 190 } });
  expect(await server.usage()).toMatchObject({ used: 10 });
});

test('what a killed server had set aside is given back when the next one starts; what a job has is not', async () => {
  await using server = await start(3, true);
  const { usage } = server.services.storage;
  const unit = (renderId: string) => ({ renderId, accountId: server.account, period: '2026-11' });
  await usage.reserve(unit('rnd_killed'), 3, new Date('2026-12-01T00:01:59Z'));
  await usage.reserve(unit('rnd_killed_too'), 3, new Date('2026-12-01T00:01:59Z'));
  await usage.reserve(unit('rnd_job'), 3, null);
  expect((await server.render()).status).toBe(402);
  await server.restart();
  expect(await usage.totals(server.account, '2026-11')).toEqual({ used: 0, reserved: 1 });
  for (const status of [200, 200, 402]) expect((await server.render()).status).toBe(status);
});
