// Measures how soon jobs begin on three servers with one PostgreSQL: when nothing else waits, and behind ten thousand
// jobs of another account; and how much of the servers' capacity one account alone uses. The figures are printed only,
// as they depend on the machine's load.

import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/storage/open-database.ts';
import { enterJobs, startNodes } from '../nodes/nodes.ts';
import { postJson } from '../post-json.ts';
import { SHAPES } from '../server/http/server-under-test.ts';
import { runOn } from '../server/storage/postgres/run-on.ts';
import { startPostgres } from '../server/storage/postgres/start-postgres.ts';

const IDLE = 30;
const CROWD = 10_000;
const ALONE = 200;
const SLOTS = 4;

/** A card that takes longer to draw than to fetch and record; `glows` sets how long. */
const card = (glows: number) => ({
  name: 'Card',
  width: 1200,
  height: 630,
  layers: Array.from({ length: glows }, (_, index) => ({
    name: `glow ${index}`,
    type: 'shape',
    shape: 'ellipse',
    x: 20 * index,
    width: 900,
    height: 500,
    fill: '#3a5cff',
    blur: 60,
  })),
});

/** The times of an account's jobs as pg-boss records them, ms. */
const TIMES = `
  SELECT extract(epoch FROM job.created_on) * 1000 AS created, extract(epoch FROM job.started_on) * 1000 AS started,
    extract(epoch FROM job.completed_on) * 1000 AS completed
  FROM pgboss.job JOIN renders ON job.data ->> 'render' = renders.id
  WHERE job.name = 'jobs' AND job.state = 'completed' AND renders.account_id = ? ORDER BY job.started_on`;

test('jobs begin soon, and an account alone has all servers', { timeout: 300_000 }, async () => {
  await using postgres = await startPostgres({ fsync: true });
  await runOn(postgres.urlOf('postgres'), 'CREATE DATABASE platen');
  await using nodes = await startNodes({
    count: 3,
    url: postgres.urlOf('platen'),
    env: { PLATEN_JOB_CONCURRENCY: String(SLOTS), PLATEN_RENDER_CONCURRENCY: '1' },
  });
  const db = await openDatabase(postgres.urlOf('platen'));
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  const newAccount = async (document: unknown) => {
    const { accounts, keys, templates } = nodes.services;
    const { id } = await accounts.create({ email: null, displayName: null, plan: 'pro' });
    const { key } = await keys.create(id, 'test');
    return { id, key, template: (await templates.create(id, document)).id };
  };
  const post = async (node: number, { key, template }: { readonly key: string; readonly template: string }) => {
    const response = await postJson(`${nodes.servers[node % 3]?.url}/v1/renders`, key, { template, async: true });
    expect(response.status).toBe(202);
    return ((await response.json()) as { id: string }).id;
  };
  const times = async (account: string) =>
    (await db.raw(TIMES, [account])).rows as { created: number; started: number; completed: number }[];
  const drained = (account: string) =>
    vi.waitFor(
      async () => {
        const [row] = await db('renders').where({ account_id: account }).whereNotNull('claimable_at').count({ n: '*' });
        expect(Number(row?.n)).toBe(0);
      },
      { timeout: 200_000, interval: 20 },
    );

  const idle = await newAccount(SHAPES);
  for (let index = 0; index < IDLE; index += 1) {
    await post(index, idle);
    await drained(idle.id);
  }
  const waits = (await times(idle.id)).map(({ created, started }) => started - created).sort((a, b) => a - b);
  const at = (quantile: number) => Math.round(waits[Math.floor(quantile * (waits.length - 1))] ?? 0);
  console.log(`idle: picked up within ${at(0.5)} ms (median), ${at(0.95)} ms (p95), ${at(1)} ms (all ${waits.length})`);

  const [many, few] = [await newAccount(SHAPES), await newAccount(SHAPES)];
  await post(0, many);
  await drained(many.id);
  await enterJobs(nodes, many, CROWD);
  await post(1, few);
  await drained(few.id);
  const [first] = await times(few.id);
  const left = Number((await db('renders').where({ account_id: many.id, status: 'queued' }).count({ n: '*' }))[0]?.n);
  const began = Math.round((first?.started ?? 0) - (first?.created ?? 0));
  console.log(`behind ${CROWD} of another account: began after ${began} ms, with ${left} waiting`);
  expect(left).toBeGreaterThan(CROWD / 2);
  await db('renders').where({ account_id: many.id, status: 'queued' }).delete();
  await drained(many.id);

  // Between two jobs a slot is idle while it fetches the next, some milliseconds; how much that matters depends on the
  // length of a job.
  for (const glows of [1, 60]) {
    const alone = await newAccount(card(glows));
    await post(0, alone);
    await drained(alone.id);
    await enterJobs(nodes, alone, ALONE);
    await drained(alone.id);
    const [, ...runs] = await times(alone.id);
    // Leaves out the end, when fewer jobs are left than there are slots.
    const whole = runs.slice(0, -3 * SLOTS);
    const [begin, end] = [whole[0]?.started ?? 0, whole.at(-1)?.started ?? 0];
    const busy = whole.reduce((sum, { started, completed }) => sum + Math.min(completed, end) - started, 0);
    const share = (100 * busy) / (3 * SLOTS * (end - begin));
    const each = whole.reduce((sum, { started, completed }) => sum + completed - started, 0) / whole.length;
    console.log(`alone: ${ALONE} jobs of ${each.toFixed(0)} ms had ${share.toFixed(1)} % of ${3 * SLOTS} slots`);
  }
});
