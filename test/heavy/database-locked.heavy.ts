// Tests a database that another process locks for ten seconds, as a backup may: requests wait or are refused with 503,
// nothing that was accepted is lost, and all works as before after the lock is released.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atomically } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { type Answer, SHAPES, serverUnderTest } from '../server/http/server-under-test.ts';

const LOCKED_FOR = 10_000;

test('ten seconds of a lock: 202, 200 or 503 with Retry-After, and nothing lost', async () => {
  const plans = '{"free":{"quota":10000,"blocks":true}}';
  // A job whose end could not be recorded is retried after a second or two, so the clock has to run.
  await using server = await serverUnderTest({ PLATEN_PLANS: plans }, { clock: () => new Date() });
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const db = await openDatabase(server.database);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  const answers: Answer[] = [];
  let stopped = false;
  const client = async (async: boolean) => {
    while (!stopped) {
      answers.push(await server.ask('/v1/renders', { method: 'POST', json: { template, async } }));
      await sleep(100);
    }
  };
  const clients = [client(true), client(true), client(false), client(false)];
  await sleep(500);
  await atomically(db, () => sleep(LOCKED_FOR));
  await sleep(2_000);
  stopped = true;
  await Promise.all(clients);

  for (const { status, headers } of answers) {
    expect([200, 202, 503]).toContain(status);
    if (status === 503) expect(headers['retry-after']).toBe('2');
  }
  const open = () => db('renders').whereIn('status', ['queued', 'processing']).pluck('id');
  await expect.poll(open, { timeout: 60_000, interval: 100 }).toEqual([]);
  const accepted = answers.filter(({ status }) => status < 300).map(({ json }) => json.id);
  const done: string[] = await db('renders').where({ status: 'done' }).pluck('id');
  expect(done.toSorted()).toEqual(accepted.toSorted());
  const units: string[] = await db('usage_units').where({ state: 'used' }).pluck('render_id');
  expect(units.toSorted()).toEqual(done.toSorted());
  const refused = answers.filter(({ status }) => status === 503).length;
  console.info(`${accepted.length} accepted and done, ${refused} sent away`);
});
