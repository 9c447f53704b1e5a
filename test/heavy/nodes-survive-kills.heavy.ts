// Runs three servers on one PostgreSQL, kills and restarts each at random moments under load, and crashes PostgreSQL as
// well. Tests that no acknowledged job is lost, none is counted twice, and another server soon takes over a dead
// server's jobs. `KILLS=300 CRASHES=20 npm run test:heavy -- nodes-survive` for a longer run.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/storage/open-database.ts';
import { startNodes } from '../nodes/nodes.ts';
import { runOn } from '../server/storage/postgres/run-on.ts';
import { startPostgres } from '../server/storage/postgres/start-postgres.ts';

const KILLS = Number(process.env.KILLS ?? 6);
const CRASHES = Number(process.env.CRASHES ?? 2);
const CLIENTS = 4;
/** The pause between two requests of a client, ms. */
const PAUSE = 60;
/** The pause between two kills, ms: a killed server has usually restarted by then. */
const [SHORTEST, LONGEST] = [500, 4_000];
/** From the last heartbeat of a job's server until the job is started again, at most, ms. */
const RESTARTED_WITHIN = 31_000;
/**
 * The part of that time that it may wait for the server that has it by then to finish its running jobs:
 * server/jobs/boss/boss-engine.ts.
 */
const ALONE_WITHIN = 3_000;

/** Between two looks at the jobs, ms. */
const POLL = 200;

/** Takes a moment to draw, so that many kills hit running jobs. */
const CARD = {
  name: 'Card',
  width: 1200,
  height: 630,
  layers: [{ name: 'glow', type: 'shape', shape: 'ellipse', width: 900, height: 500, fill: '#3a5cff', blur: 60 }],
};

/** The longest time without a heartbeat among active jobs, and the longest that a job to be retried has waited, ms. */
const HANDED_OUT = `
  SELECT max(extract(epoch FROM clock_timestamp() - heartbeat_on) * 1000) FILTER (WHERE state = 'active') AS silent,
    max(extract(epoch FROM clock_timestamp() - start_after) * 1000) FILTER (WHERE state = 'retry') AS waits
  FROM pgboss.job WHERE name = 'jobs' AND state IN ('active', 'retry')`;

test(`${KILLS} kills and ${CRASHES} crashes of PostgreSQL`, { timeout: KILLS * 30_000 + 240_000 }, async () => {
  await using postgres = await startPostgres({ fsync: true });
  await runOn(postgres.urlOf('postgres'), 'CREATE DATABASE platen');
  await using nodes = await startNodes({
    count: 3,
    url: postgres.urlOf('platen'),
    env: { PLATEN_JOB_CONCURRENCY: '4', PLATEN_RENDER_CONCURRENCY: '1' },
  });
  const { accounts, keys, templates } = nodes.services;
  const { id: account } = await accounts.create({ email: null, displayName: null, plan: 'pro' });
  const { key } = await keys.create(account, 'live');
  const { id: template } = await templates.create(account, CARD);

  const acknowledged: string[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const server = nodes.servers[Math.floor(Math.random() * nodes.servers.length)];
      const body = JSON.stringify({ template, async: true });
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const response = await fetch(`${server?.url}/v1/renders`, { method: 'POST', body, headers }).catch(() => null);
      if (response?.status === 202) acknowledged.push(((await response.json()) as { id: string }).id);
      else if (response) await response.arrayBuffer().catch(() => {});
      await sleep(PAUSE);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);

  const db = await openDatabase(postgres.urlOf('platen'));
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  let [longestSilent, longestWait, longestPause] = [0, 0, 0];
  const watch = async () => {
    let answered = performance.now();
    while (!isOver) {
      const { rows } = await db.raw(HANDED_OUT).catch(() => ({ rows: [] }));
      if (rows.length > 0) {
        longestPause = Math.max(longestPause, performance.now() - answered - POLL);
        answered = performance.now();
      }
      longestSilent = Math.max(longestSilent, Number(rows[0]?.silent ?? 0));
      longestWait = Math.max(longestWait, Number(rows[0]?.waits ?? 0));
      await sleep(POLL);
    }
  };
  const watching = watch();

  for (let kill = 1; kill <= KILLS; kill += 1) {
    await sleep(SHORTEST + Math.random() * (LONGEST - SHORTEST));
    const place = Math.floor(Math.random() * nodes.servers.length);
    const [victim] = nodes.servers.splice(place, 1);
    if (!victim) throw new Error('nobody is left');
    const dead = once(victim.child, 'exit');
    process.kill(victim.pid, 'SIGKILL');
    await dead;
    if (CRASHES > 0 && kill % Math.ceil(KILLS / CRASHES) === 0) await postgres.crash();
    await nodes.add();
  }
  isOver = true;
  await Promise.all(clients);
  isOver = false;
  const watchingOn = watch();
  const start = performance.now();
  await expect
    .poll(() => db('renders').whereIn('status', ['queued', 'processing']).pluck('id'), {
      timeout: 90_000,
      interval: 200,
    })
    .toEqual([]);
  const drained = performance.now() - start;
  isOver = true;
  await Promise.all([watching, watchingOn]);

  const rows: { id: string; status: string; attempt: number }[] = await db('renders').select('id', 'status', 'attempt');
  const units = await db('usage_units').where({ state: 'used' }).pluck('render_id');
  const usage = await db('usage').where({ account_id: account }).first();
  const files = new Set(await readdir(join(nodes.folder, 'assets')));
  const again = rows.filter(({ attempt }) => attempt > 1).length;
  console.log(
    `${acknowledged.length} jobs acknowledged, ${rows.length} done; ${again} counted as begun again; missed at most ` +
      `${Math.round(longestSilent)} ms after the last sign of life, and then handed out within ${Math.round(longestWait)} ms; ` +
      `drained in ${Math.round(drained)} ms; the database did not answer for ${Math.round(longestPause)} ms at most`,
  );
  const done = new Set(rows.filter(({ status }) => status === 'done').map(({ id }) => id));
  expect(acknowledged.filter((id) => !done.has(id))).toEqual([]);
  expect(rows.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(units.sort()).toEqual([...done].sort());
  expect([usage.used, usage.reserved]).toEqual([done.size, 0]);
  expect([...done].filter((id) => !files.has(`${id}.png`))).toEqual([]);
  // Nobody can take a job over while the database, crashed or short of a processor, does not answer.
  expect(longestSilent + longestWait + ALONE_WITHIN).toBeLessThan(RESTARTED_WITHIN + longestPause);
  expect(drained).toBeLessThan(60_000);
});
