// Tests that the warnings of a render are stored with it, and told wherever it is listed or announced.

import { expect, test, vi } from 'vitest';
import { receiver } from '../../webhook-receiver.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const start = (env = {}) => serverUnderTest(env);
const store = async ({ services, account }: ServerUnderTest) => (await services.templates.create(account, SHAPES)).id;
const post = ({ post }: ServerUnderTest, json: unknown, path = '/v1/renders') => post(path, json);

/** A layer that the template lacks. */
const MISSPELT = { modifications: { boks: '#fff' } };
const SENTENCE = expect.stringMatching(/"boks"/);

test('of a render, in the list and where it is polled; absent where nothing was odd', async () => {
  await using server = await start();
  const template = await store(server);
  const odd = await post(server, { template, ...MISSPELT });
  expect(Object.keys(odd.json)).toEqual(['id', 'url', 'output']);
  const plain = (await post(server, { template })).json;
  const polled = async (id: unknown) => (await server.ask(`/v1/renders/${id}`)).json;
  expect((await polled(odd.json.id)).warnings).toEqual(JSON.parse(String(odd.headers['platen-warnings'])));
  expect(await polled(odd.json.id)).toMatchObject({ warnings: [SENTENCE] });
  expect(Object.keys(await polled(plain.id))).not.toContain('warnings');
  const listed = async (query: string) =>
    (await server.ask(`/v1/history${query}`)).json.renders as Record<string, unknown>[];
  expect((await listed('?warnings=true')).map(({ id }) => id)).toEqual([odd.json.id]);
  const renders = await listed('');
  expect(new Map(renders.map(({ id, warnings }) => [id, warnings]))).toEqual(
    new Map<unknown, unknown>([
      [odd.json.id, [SENTENCE]],
      [plain.id, []],
    ]),
  );
});

test('of a job, also in its webhook', async () => {
  await using hook = await receiver();
  await using server = await start({ PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32' });
  const template = await store(server);
  const { id } = (await post(server, { template, webhookUrl: hook.url, ...MISSPELT })).json;
  const [delivered] = await hook.received(1);
  expect(JSON.parse(delivered?.body ?? '')).toMatchObject({ id, status: 'done', warnings: [SENTENCE] });
  await vi.waitFor(async () =>
    expect((await server.ask(`/v1/renders/${id}`)).json).toMatchObject({ status: 'done', warnings: [SENTENCE] }),
  );
});

test('of a batch’s items, each beside its result', async () => {
  await using server = await start();
  const template = await store(server);
  const batch = await post(server, { template, items: [MISSPELT, {}] }, '/v1/renders/batch');
  const [odd, plain] = batch.json.results as Record<string, unknown>[];
  expect(odd).toMatchObject({ output: 'png', warnings: [SENTENCE] });
  expect(Object.keys(plain ?? {})).toEqual(['id', 'url', 'output']);
});

test('at most twenty sentences and 2 KiB are stored; the rest is counted', async () => {
  await using server = await start();
  const names = Array.from({ length: 30 }, (_, at) => [`unknown-${at}`, 'x']);
  const { id } = (await post(server, { template: await store(server), modifications: Object.fromEntries(names) })).json;
  const { warnings } = (await server.ask(`/v1/renders/${id}`)).json as { warnings: string[] };
  expect(warnings.at(-1)).toBe(`+${30 - (warnings.length - 1)} more`);
  expect(JSON.stringify(warnings).length).toBeLessThanOrEqual(2048);
});
