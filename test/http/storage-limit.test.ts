// Tests the storage of plans: what an account keeps is bounded, counted in `GET /v1/usage`, and freed by deleting.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type ServerUnderTest, serverUnderTest } from './server-under-test.ts';

const MB = 2 ** 20;
const FULL = 'The 1 MiB of storage of the plan "free" are used up: delete images, fonts or templates, or upgrade.';
const PLANS = { PLATEN_PLANS: '{"free":{"quota":100,"blocks":true,"storage":1}}' };

/** A template of some 300 kB. */
const large = () => ({
  name: 'Large',
  width: 10,
  height: 10,
  layers: Array.from({ length: 6 }, (_, index) => ({
    name: `a${index}`,
    type: 'text',
    text: 'é'.repeat(25_000),
    width: 9,
  })),
});
const post = (server: ServerUnderTest, key = server.key) =>
  server.ask('/v1/templates', { method: 'POST', json: large(), key });

test('402 beyond the storage of the plan, also for simultaneous requests; deleting makes room', async () => {
  await using server = await serverUnderTest(PLANS);
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(server)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 402, 402, 402, 402, 402]);
  expect(answers.find(({ status }) => status === 402)?.json).toEqual({ error: FULL });
  const { storedBytes } = server.services.storage;
  expect(await storedBytes.of(server.account)).toBeGreaterThan(900_000);
  expect(await storedBytes.of(server.account)).toBeLessThan(MB);

  const id = String(answers.find(({ status }) => status === 201)?.json.id);
  expect((await server.ask(`/v1/templates/${id}`, { method: 'PUT', json: large() })).status).toBe(402);
  const photo = await readFile('fixtures/assets/photo.jpg');
  const picture = Buffer.concat([photo, Buffer.alloc(300_000)]);
  const upload = () =>
    server.ask('/v1/images', { method: 'POST', raw: picture, headers: { 'content-type': 'image/jpeg' } });
  expect((await upload()).status).toBe(402);
  expect((await post(server, server.otherKey)).status).toBe(201);
  await server.ask(`/v1/templates/${id}`, { method: 'DELETE' });
  expect((await upload()).status).toBe(201);
});

test('a plan without storage has no limit', async () => {
  await using server = await serverUnderTest({ PLATEN_PLANS: '{"free":{"quota":100,"blocks":true}}' });
  for (let count = 0; count < 4; count += 1) expect((await post(server)).status).toBe(201);
});
