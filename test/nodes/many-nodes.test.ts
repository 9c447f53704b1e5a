// Tests three servers on one database: limits of an account, and what happens once only, hold across all of them.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { openStorage } from '#server/storage/storage.ts';
import { postJson } from '../post-json.ts';
import { SHAPES } from '../server/http/server-under-test.ts';
import { newDatabaseAlone } from '../server/storage/new-database.ts';
import { enterJobs, forEach, type Nodes, startNodes } from './nodes.ts';

/** Repetitions of each race, visits of a temporary node, and pairs of equal requests. The environment can set more. */
const ROUNDS = Number(process.env.ROUNDS ?? 2);
const VISITS = Number(process.env.VISITS ?? 3);
const PAIRS = Number(process.env.PAIRS ?? 200);

let nodes: Nodes;
beforeAll(async () => {
  const plans = { free: { quota: 10, blocks: true }, large: { quota: 100_000, blocks: true } };
  nodes = await startNodes({ count: 3, tables: 'empty', env: { PLATEN_PLANS: JSON.stringify(plans) } });
}, 120_000);
afterAll(() => nodes?.[Symbol.asyncDispose]());

/** A new account with a key of each kind and a template without text. */
async function newAccount(plan: string) {
  const { accounts, keys, templates } = nodes.services;
  const { id } = await accounts.create({ email: null, displayName: null, plan });
  const [live, test] = [await keys.create(id, 'live'), await keys.create(id, 'test')];
  const template = await templates.create(id, SHAPES);
  return { id, key: live.key, testKey: test.key, template: template.id };
}

/** Sends a request to one node. */
async function ask(node: number, path: string, key: string | null, body?: object, headers: object = {}) {
  const url = nodes.servers[node % nodes.servers.length]?.url;
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
}

/** The renders and counters of an account in the database. */
async function counted(account: string) {
  const db = await openDatabase(nodes.database);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  const [usage] = await db('usage').where({ account_id: account });
  const units = await db('usage_units').where({ account_id: account, state: 'used' });
  const renders: { status: string; id: string; attempt: number }[] = await db('renders').where({ account_id: account });
  const variants = await db('variants').whereIn(
    'template_id',
    db('templates').where({ account_id: account }).select('id'),
  );
  return { used: usage?.used ?? 0, reserved: usage?.reserved ?? 0, units: units.length, renders, variants };
}

async function drained(account: string) {
  await vi.waitFor(
    async () => {
      const { renders } = await counted(account);
      expect(renders.filter(({ status }) => status !== 'done' && status !== 'error')).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
  // Read again: the first reading may predate the end of the last render.
  return counted(account);
}

test('three that start at once on an empty database make one demo account', async () => {
  const accounts = await nodes.services.accounts.list();
  expect(accounts.filter(({ displayName }) => displayName === 'Demo')).toHaveLength(1);
  expect(nodes.servers.filter(({ printed }) => printed.includes('A first start'))).toHaveLength(1);
});

test('ten that begin together with an empty database migrate it once', async () => {
  await using made = await newDatabaseAlone('empty');
  const opened = await Promise.all(Array.from({ length: 10 }, () => openStorage(made.location)));
  expect(await opened[9]?.accounts.isEmpty()).toBe(true);
  for (const storage of opened) await storage[Symbol.asyncDispose]();
});

test('of 200 renders at once with 10 units left exactly 10 are made', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, key, template } = await newAccount('free');
    const answers = await forEach(200, 200, (index) => ask(index, '/v1/renders', key, { template }));
    const made = answers.filter(({ status }) => status === 200);
    expect([made.length, answers.filter(({ status }) => status === 402).length]).toEqual([10, 190]);
    expect(await counted(id)).toMatchObject({ used: 10, reserved: 0, units: 10, renders: { length: 10 } });
  }
});

test('of 200 jobs at once with 10 units left exactly 10 are accepted', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, key, template } = await newAccount('free');
    const answers = await forEach(200, 200, (index) => ask(index, '/v1/renders', key, { template, async: true }));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
    const found = await drained(id);
    expect(found).toMatchObject({ used: 10, reserved: 0, units: 10, renders: { length: 10 } });
    expect(found.renders.map(({ status, attempt }) => `${status} ${attempt}`)).toEqual(Array(10).fill('done 1'));
  }
});

test('of 20 batches at once of 10 items with 10 units left exactly 10 items are made', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, key, template } = await newAccount('free');
    const batch = { template, items: Array(10).fill({}) };
    const answers = await forEach(20, 20, (index) => ask(index, '/v1/renders/batch', key, batch));
    expect(answers.map(({ text }) => JSON.parse(text).ok as number).reduce((a, b) => a + b, 0)).toBe(10);
    expect(await counted(id)).toMatchObject({ used: 10, reserved: 0, units: 10, renders: { length: 10 } });
  }
});

test('one signed URL on two nodes at once is one unit, one row and one file', async () => {
  const { id, template } = await newAccount('large');
  const { signing } = await nodes.services.accounts.secrets(id);
  const files = async () => (await readdir(join(nodes.folder, 'variants'))).filter((name) => !name.startsWith('.'));
  const before = (await files()).length;
  await forEach(PAIRS, 8, async (index) => {
    const parameters = [['box', `#${index.toString(16).padStart(6, '0')}`]] as const;
    const query = signedQuery(signing, { template, extension: 'png', parameters });
    const path = `/v1/templates/${template}/render.png?${query}`;
    const [one, other] = await Promise.all([ask(index, path, null), ask(index + 1, path, null)]);
    expect([one.status, other.status], one.text + other.text).toEqual([200, 200]);
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });
  expect(await counted(id)).toMatchObject({ used: PAIRS, reserved: 0, units: PAIRS, variants: { length: PAIRS } });
  expect((await files()).length - before).toBe(PAIRS);
});

test('one Idempotency-Key on two nodes at once is done once, and has one answer', async () => {
  const { id, key, template } = await newAccount('large');
  await forEach(PAIRS, 8, async (index) => {
    const headers = { 'idempotency-key': `pair ${index}` };
    const [one, other] = await Promise.all(
      [index, index + 1].map((node) => ask(node, '/v1/renders', key, { template }, headers)),
    );
    expect([one?.status, other?.status, other?.text], one?.text).toEqual([200, 200, one?.text]);
  });
  expect(await counted(id)).toMatchObject({ used: PAIRS, reserved: 0, units: PAIRS, renders: { length: PAIRS } });
});

test('a test key costs nothing, whichever node does the work', async () => {
  const { id, testKey, template } = await newAccount('free');
  await forEach(30, 30, (index) => ask(index, '/v1/renders', testKey, { template, async: index % 2 === 0 }));
  expect(await drained(id)).toMatchObject({ used: 0, reserved: 0, units: 0, renders: { length: 30 } });
});

test('ten thousand jobs of one account do not keep another one waiting, on any node', async () => {
  const [many, few] = [await newAccount('large'), await newAccount('large')];
  expect((await ask(0, '/v1/renders', many.testKey, { template: many.template, async: true })).status).toBe(202);
  await drained(many.id);
  const db = await openDatabase(nodes.database);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  const waiting = () => db('renders').where({ account_id: many.id, status: 'queued' });
  await enterJobs(nodes, many, 10_000);
  const start = performance.now();
  expect((await ask(1, '/v1/renders', few.key, { template: few.template, async: true })).status).toBe(202);
  await drained(few.id);
  const took = performance.now() - start;
  const left = (await waiting().count({ count: '*' }))[0]?.count;
  console.log(`the other account's job was done after ${Math.round(took)} ms, with ${left} waiting before it`);
  expect(Number(left)).toBeGreaterThan(5_000);
  // The queue drops entries whose rows are gone.
  await waiting().delete();
  await drained(many.id);
});

test('a node that comes and goes disturbs nobody', { timeout: VISITS * 40_000 + 60_000 }, async () => {
  const { id, key, template } = await newAccount('large');
  const { signing } = await nodes.services.accounts.secrets(id);
  const query = signedQuery(signing, { template, extension: 'png', parameters: [] });
  const files = () => readdir(join(nodes.folder, 'variants'));
  expect((await ask(0, `/v1/templates/${template}/render.png?${query}`, null)).status).toBe(200);
  const kept = (await files()).sort();
  let isOver = false;
  let asked = 0;
  const load = async (node: number) => {
    while (!isOver) {
      const answer = await ask(node, '/v1/renders', key, { template, async: asked % 2 === 0 });
      expect(answer.status, answer.text).toBeLessThan(300);
      asked += 1;
    }
  };
  const loads = [0, 1, 2].map(load);
  for (let visit = 0; visit < VISITS; visit += 1) {
    const visitor = await nodes.add();
    nodes.servers.pop();
    const ended = once(visitor.child, 'exit');
    process.kill(visitor.pid, 'SIGTERM');
    await ended;
  }
  isOver = true;
  await Promise.all(loads);
  const found = await drained(id);
  expect(found.renders.map(({ status }) => status)).toEqual(Array(asked).fill('done'));
  // A job that a leaving node hands back does not lose an attempt, and no job is taken from a live node.
  expect(found.renders.filter(({ attempt }) => attempt > 1)).toEqual([]);
  expect([found.used, found.reserved, found.units]).toEqual([asked + 1, 0, asked + 1]);
  expect((await files()).sort()).toEqual(kept);
});

test('jobs are done once each, also those of a node that is killed', async () => {
  const { id, key, template } = await newAccount('large');
  const fourth = await nodes.add();
  nodes.servers.pop();
  const post = async (index: number) => {
    const url = index % 4 === 3 ? fourth.url : nodes.servers[index % 3]?.url;
    const response = await postJson(`${url}/v1/renders`, key, { template, async: true }).catch(() => null);
    return response?.status ?? 0;
  };
  let accepted = 0;
  await forEach(300, 20, async (index) => {
    if (index === 150) process.kill(fourth.pid, 'SIGKILL');
    if ((await post(index)) === 202) accepted += 1;
  });
  const found = await drained(id);
  // Jobs that the killed node accepted without answering are done too.
  expect(found.renders.length).toBeGreaterThanOrEqual(accepted);
  expect(found.renders.filter(({ status }) => status !== 'done')).toEqual([]);
  expect([found.used, found.reserved, found.units]).toEqual([found.renders.length, 0, found.renders.length]);
});
