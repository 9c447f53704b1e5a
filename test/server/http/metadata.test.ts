// Tests `metadata`, which comes back wherever a render does, and the list and deletion of renders.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { receiver } from '../../webhook-receiver.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const start = (env = {}) => serverUnderTest(env, { exportAs: async () => Buffer.from('a picture') });
const store = async ({ services, account }: ServerUnderTest) => (await services.templates.create(account, SHAPES)).id;
const post = ({ post }: ServerUnderTest, json: unknown, path = '/v1/renders') => post(path, json);

test('it comes back from a render, its job and the list, and is not there where none was given', async () => {
  await using server = await start();
  const template = await store(server);
  const order = { order: 'A-1', paid: true, items: 3, note: null };
  const made = (await post(server, { template, metadata: order })).json;
  expect(made).toMatchObject({ output: 'png', metadata: order });
  const plain = (await post(server, { template })).json;
  expect(Object.keys(plain)).toEqual(['id', 'url', 'output']);
  const job = (await server.ask(`/v1/renders/${made.id}`)).json;
  expect(job).toMatchObject({ status: 'done', metadata: order });
  expect(Object.keys(job.result as object)).toEqual(['id', 'url', 'output']);
  expect(Object.keys((await server.ask(`/v1/renders/${plain.id}`)).json)).not.toContain('metadata');
  const { renders } = (await server.ask('/v1/history')).json as { renders: Record<string, unknown>[] };
  expect(new Map(renders.map(({ id, metadata }) => [id, metadata]))).toEqual(
    new Map<unknown, unknown>([
      [made.id, order],
      [plain.id, null],
    ]),
  );
});

test('it comes back from a job’s acceptance, and in its webhook', async () => {
  await using hook = await receiver();
  await using server = await start({ PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32' });
  const template = await store(server);
  const metadata = 'Ünï "1"\u0000';
  const accepted = await post(server, { template, webhookUrl: hook.url, metadata });
  expect([accepted.status, accepted.json]).toEqual([202, { id: accepted.json.id, status: 'queued', metadata }]);
  const [delivered] = await hook.received(1);
  expect(JSON.parse(delivered?.body ?? '')).toMatchObject({ id: accepted.json.id, status: 'done', metadata });
});

test('in a batch: of an item, of all items, and beside the error of one that fails', async () => {
  await using server = await start();
  const template = await store(server);
  const batch = async (json: object) => (await post(server, json, '/v1/renders/batch')).json.results;
  expect(
    await batch({
      renders: [
        { template, metadata: 'a' },
        { template: 'tpl_x', metadata: 'b' },
        { template, metadata: [] },
      ],
    }),
  ).toMatchObject([
    { output: 'png', metadata: 'a' },
    { error: 'Template "tpl_x" not found.', metadata: 'b' },
    { error: 'metadata: must be a string or an object' },
  ]);
  expect(await batch({ template, metadata: 'all', items: [{}, { modifications: {}, metadata: 'own' }] })).toMatchObject(
    [{ metadata: 'all' }, { metadata: 'own' }],
  );
});

const NAMES = Array.from({ length: 21 }, (_, at) => [`n${at}`, 1]);
const WRONG: readonly (readonly [unknown, RegExp])[] = [
  [5, /^metadata: must be a string or an object/],
  [['x'], /^metadata: must be a string or an object/],
  ['x'.repeat(1_001), /^metadata: must have at most 1000 characters/],
  [{ x: {} }, /^metadata\.x: must be a string, a number/],
  [{ x: 'y'.repeat(1_000) }, /^metadata: must have at most 1000 characters as JSON/],
  [Object.fromEntries(NAMES), /^metadata: must have at most 20 members/],
  [{ ['x'.repeat(41)]: 1 }, /^metadata: names must have 1 to 40 characters/],
  [JSON.parse('{"__proto__": 1}'), /^metadata: names/],
];
test('400: what is too large or nested, for renders and screenshots', async () => {
  await using server = await start();
  const template = await store(server);
  for (const [metadata, message] of WRONG) {
    for (const [path, json] of [
      ['/v1/renders', { template }],
      ['/v1/screenshots', { url: 'https://example.com/' }],
    ] as const) {
      const answer = await post(server, { ...json, metadata }, path);
      expect([answer.status, answer.json]).toEqual([400, { error: expect.stringMatching(message) }]);
    }
  }
});

test('renders are listed in pages, by their filters, and never another account’s', async () => {
  await using server = await start();
  const template = await store(server);
  const made = [];
  for (const output of ['png', 'pdf', 'png']) made.push((await post(server, { template, output })).json.id);
  const inline = (await post(server, { template: SHAPES })).json.id;
  type List = { renders: { id: string }[]; next: string | null };
  const list = async (query = '', key = server.key) => (await server.ask(`/v1/history${query}`, { key })).json as List;
  const ids = ({ renders }: List) => renders.map(({ id }) => id);
  const all = ids(await list());
  expect(new Set(all)).toEqual(new Set([...made, inline]));
  const first = await list('?limit=3');
  expect([...ids(first), ...ids(await list(`?limit=3&after=${first.next}`))]).toEqual(all);
  expect(new Set(ids(await list(`?template=${template}&output=png`)))).toEqual(new Set([made[0], made[2]]));
  expect(ids(await list('?status=error'))).toEqual([]);
  expect(ids(await list('', server.otherKey))).toEqual([]);
  expect((await server.ask('/v1/history?status=lost')).json.error).toMatch(/^status: must be one of/);
  expect((await server.ask('/v1/history?after=x')).status).toBe(400);
});

test('a deleted render is gone with its file, and stays counted', async () => {
  await using server = await start();
  const { id } = (await post(server, { template: await store(server) })).json;
  const remove = (key = server.key) => server.ask(`/v1/history/${id}`, { method: 'DELETE', key });
  expect((await remove(server.otherKey)).status).toBe(404);
  expect((await remove()).status).toBe(204);
  expect(await readdir(join(server.folder, 'assets'))).toEqual([]);
  expect((await remove()).json).toEqual({ error: 'render not found' });
  expect((await server.ask(`/v1/renders/${id}`)).status).toBe(404);
  expect((await server.ask(`/assets/${id}.png`, { key: null })).status).toBe(404);
  expect((await server.ask('/v1/usage')).json.used).toBe(1);
});

test('409: a job that is not over yet is not deleted', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const exportAs = async () => {
    await promise;
    return Buffer.from('late');
  };
  await using server = await serverUnderTest({}, { exportAs });
  const { id } = (await post(server, { template: await store(server), async: true })).json;
  const remove = () => server.ask(`/v1/history/${id}`, { method: 'DELETE' });
  expect(await remove()).toMatchObject({ status: 409, json: { error: expect.stringContaining('not over yet') } });
  resolve();
  await vi.waitFor(async () => expect((await remove()).status).toBe(204));
});
