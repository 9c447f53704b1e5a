// Tests the storage of plans: what an account keeps is bounded, counted in `GET /v1/usage`, and freed by deleting. So are
// the files of its renders.

import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
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
const post = (server: ServerUnderTest, key = server.key) => server.post('/v1/templates', large(), { key });

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

test('402 beyond the files of renders that the plan allows, with any key and in any way; deleting makes room', async () => {
  const plans = '{"free":{"quota":1000,"blocks":true,"renderStorage":1}}';
  await using server = await serverUnderTest({ PLATEN_PLANS: plans });
  const { services, account, testKey, signingSecret } = server;
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width: 400, height: 400, channels: 3, background: '#000', noise } as const;
  const { id: src } = await services.images.upload(account, await sharp({ create }).png().toBuffer());
  const layers = [{ name: 'it', type: 'image', src, width: 400, height: 400 }];
  const { id: template } = await services.templates.create(account, { name: 'N', width: 400, height: 400, layers });
  const render = async (json: object = {}, path = '/v1/renders', key = testKey) => {
    const answer = await server.post(path, { template, ...json }, { key });
    return { ...answer, id: String(answer.json.id) };
  };
  // Some 480 kB each: the third begins below the limit.
  const made = [await render(), await render(), await render()];
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
  const message = 'The 1 MiB of files of renders of the plan "free" are used up: delete renders, or upgrade.';
  for (const refused of [await render(), await render({ async: true }), await render({}, '/v1/renders', server.key)]) {
    expect([refused.status, refused.json]).toEqual([402, { error: message }]);
  }
  const batch = await render({ items: [{}] }, '/v1/renders/batch');
  expect(batch.json.results).toMatchObject([{ error: message }]);
  const query = signedQuery(signingSecret, { template, extension: 'png', parameters: [] });
  expect((await server.ask(`/v1/templates/${template}/render.png?${query}`, { key: null })).status).toBe(200);
  expect((await render({}, '/v1/renders', server.otherKey)).status).toBe(404);
  for (const { id } of made.slice(0, 2)) {
    expect((await server.ask(`/v1/history/${id}`, { method: 'DELETE' })).status).toBe(204);
  }
  // Accepted while there is room: a job that comes to its turn when there is none fails, and costs nothing.
  const jobs = await Promise.all(Array.from({ length: 12 }, () => render({ async: true })));
  const statuses = async () =>
    Promise.all(jobs.map(async ({ id }) => (await server.ask(`/v1/renders/${id}`)).json.status));
  await vi.waitFor(async () => expect(await statuses()).not.toContain('queued'), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await statuses()).not.toContain('processing'), { timeout: 20_000 });
  expect(await statuses()).toContain('error');
});
