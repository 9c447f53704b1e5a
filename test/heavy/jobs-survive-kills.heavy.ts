// Kills the real server (SIGKILL) at random moments under load, and tests that no acknowledged job or render is lost,
// made twice, counted twice or announced under two names. `KILLS=1000 npm run test:heavy` for a longer run.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import type { Database } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { receiver } from '../webhook-receiver.ts';

const KILLS = Number(process.env.KILLS ?? 8);
/** How long a server runs before it is killed, ms: from before its first job to long after. */
const [SHORTEST_LIFE, LONGEST_LIFE] = [50, 8_000];
const CLIENTS = 4;
/** The pause between two requests of a client, ms: about as many as two processors can draw. */
const PAUSE = 100;
/**
 * Within this time a killed job must have been started again, ms: some 30 s, and more on a busy machine, where it waits
 * behind those that were there before it.
 */
const RESTART = 60_000;

/** Time in which work that is left must become less, ms: longer than it takes to begin killed jobs again. */
const STUCK = 60_000;

/** Takes a moment to draw, so that many kills hit running jobs. */
const CARD = {
  name: 'Card',
  width: 1200,
  height: 630,
  background: '#0b1020',
  layers: [
    ...Array.from({ length: 6 }, (_, index) => ({
      ...{ name: `glow ${index}`, type: 'shape', shape: 'ellipse', width: 1000, height: 600 },
      ...{ x: 3 * index, rotation: index, blur: 60 },
      fill: { type: 'conic', stops: [{ color: '#3a5cff22' }, { color: '#ff3a5c22' }] },
    })),
    { name: 'title', type: 'text', text: '', fontSize: 96, color: '#fff', x: 80, y: 80, width: 1040 },
  ],
};

interface Row {
  readonly id: string;
  readonly status: string;
  readonly attempt: number;
  readonly worker: string | null;
  readonly size: number;
  readonly error: string | null;
}

test(`${KILLS} kills`, { timeout: KILLS * 10_000 + 300_000 }, async () => {
  await using folder = await temporaryFolder();
  await using hooks = await receiver();
  const env = { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };
  const config = loadConfig({ PLATEN_DATA: folder.path });
  const { account, key, template } = await (async () => {
    await using services = await openServices(config);
    const made = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
    return {
      account: made.id,
      key: (await services.keys.create(made.id, 'live')).key,
      template: (await services.templates.create(made.id, CARD)).id,
    };
  })();
  const db = await openDatabase(config.database);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  const restarts = watchRestarts(db);

  const load = startLoad(key, template, hooks.url);
  for (let kills = 0; kills < KILLS; kills += 1) {
    await using server = await startProcess(folder.path, env);
    load.url = server.url;
    await sleep(SHORTEST_LIFE + Math.random() * (LONGEST_LIFE - SHORTEST_LIFE));
    // Every other kill is while a job is drawn, however quick that is.
    for (let i = 0; kills % 2 === 1 && i < 2_000 && !(await isDrawing(db)); i += 1) await sleep(5);
    await kill(server);
    await restarts.killed();
  }
  await using server = await startProcess(folder.path, env);
  load.url = server.url;
  await sleep(1_000);
  await load.stop();
  await emptied(() => db('renders').whereIn('status', ['queued', 'processing']).pluck('id'));
  await emptied(() => db('deliveries').whereNotNull('due_at').pluck('id'));
  const longestRestart = await restarts.stop();
  server.child.kill('SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([0, null]);

  const rows: Row[] = await db('renders').where({ account_id: account });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = [...load.jobs, ...load.renders];
  const lost = acknowledged.filter((id) => !byId.has(id));
  const twice = rows.length - new Set(acknowledged).size;
  const done = rows.filter(({ status }) => status === 'done').map(({ id }) => id);
  // A job that was the only one running at three kills would be blamed for them.
  const givenUp = rows.filter(({ status, attempt }) => status === 'error' && attempt > 3);
  const units: string[] = await db('usage_units').where({ state: 'used' }).pluck('render_id');
  const [total] = await db('usage').where({ account_id: account });
  const deliveries: { render_id: string; id: string; status: string }[] = await db('deliveries');
  const announced = await Promise.all(
    hooks.requests.map(({ body, headers }) => ({ job: JSON.parse(body).id, message: headers['webhook-id'] })),
  );
  console.info(
    `${KILLS} kills: ${load.jobs.length} jobs and ${load.renders.length} renders acknowledged, ${lost.length} lost, ${twice} made twice, ` +
      `${done.length} done, ${units.length} units; ${restarts.seen()} were on the way at a kill and begun again at ` +
      `most ${(longestRestart / 1000).toFixed(1)} s later, ${givenUp.length} given up; ` +
      `${deliveries.length} webhooks, ${announced.length} attempts`,
  );

  expect(load.jobs.length).toBeGreaterThan(KILLS * 2);
  expect(restarts.seen()).toBeGreaterThan(0);
  expect(load.unexpected).toEqual([]);
  expect(lost).toEqual([]);
  // A client that repeats a request with its idempotency key, because a kill lost the answer, gets the one job or
  // render.
  expect(rows.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
  expect(done.length + givenUp.length).toBe(rows.length);
  expect(givenUp.length).toBeLessThanOrEqual(KILLS / 100);
  expect(units.toSorted()).toEqual(done.toSorted());
  expect([total?.used, total?.reserved]).toEqual([done.length, 0]);
  expect(longestRestart).toBeLessThanOrEqual(RESTART);

  // Each job that asked for a webhook has one message, which was delivered at least once.
  const messages = new Map(deliveries.map(({ render_id, id }) => [render_id, id]));
  expect(messages.size).toBe(deliveries.length);
  expect(load.announcing.filter((id) => !messages.has(id))).toEqual([]);
  expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
  expect(announced.filter(({ job, message }) => messages.get(job) !== message)).toEqual([]);
  expect(new Set(announced.map(({ job }) => job)).size).toBe(deliveries.length);

  const files = new Set(await readdir(join(folder.path, 'assets')));
  expect(done.filter((id) => !files.has(`${id}.png`))).toEqual([]);
  expect(await db.raw('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

/** Waits until nothing is left, as long as it becomes less: how much there is depends on the machine's other work. */
async function emptied(left: () => Promise<readonly string[]>): Promise<void> {
  let [fewest, since] = [Number.POSITIVE_INFINITY, Date.now()];
  for (let ids = await left(); ids.length > 0; ids = await left()) {
    if (ids.length < fewest) [fewest, since] = [ids.length, Date.now()];
    if (Date.now() - since > STUCK) expect(ids).toEqual([]);
    await sleep(250);
  }
}

async function kill(server: ServerProcess): Promise<void> {
  server.child.kill('SIGKILL');
  await once(server.child, 'exit');
}

/** Starts clients that post continuously: some a job, some a job with a webhook, some a render that they wait for. */
function startLoad(key: string, template: string, webhookUrl: string) {
  const load = {
    url: '',
    jobs: [] as string[],
    announcing: [] as string[],
    renders: [] as string[],
    unexpected: [] as string[],
  };
  let stopped = false;
  const post = async (body: object, idempotencyKey: string) => {
    const answer = await fetch(`${load.url}/v1/renders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ template, ...body }),
    });
    const { id } = await answer.json();
    if (answer.status === 202) load.jobs.push(id);
    else if (answer.status === 200) load.renders.push(id);
    else load.unexpected.push(`${answer.status}`);
    return id;
  };
  /** Repeats a request with the same idempotency key until it is answered. */
  const postOnce = async (body: object, name: string): Promise<string> => {
    for (;;) {
      try {
        return await post(body, name);
      } catch {
        await sleep(PAUSE);
      }
    }
  };
  const client = async (number: number) => {
    for (let round = 0; !stopped; round += 1) {
      const name = `${number}.${round}`;
      const modifications = { title: name };
      const wish = (round + number) % 4;
      if (wish === 0) load.announcing.push(await postOnce({ modifications, webhookUrl }, name));
      else if (wish === 1) await postOnce({ modifications }, name);
      else await postOnce({ modifications, async: true }, name);
      await sleep(PAUSE * (0.5 + Math.random()));
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  return Object.assign(load, {
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  });
}

const isDrawing = async (db: Database): Promise<boolean> =>
  (await db('renders').where({ status: 'processing' }).first('id')) !== undefined;

/** Measures how long jobs that were running at a kill wait until they are started again. */
function watchRestarts(db: Database) {
  const waiting = new Map<string, { readonly since: number; readonly worker: string | null }>();
  let longest = 0;
  let seen = 0;
  let stopped = false;
  const look = async () => {
    const now = Date.now();
    const rows: Row[] = await db('renders').whereIn('id', [...waiting.keys()]);
    for (const { id, worker } of rows) {
      const killed = waiting.get(id);
      if (!killed || worker === null || worker === killed.worker) continue;
      longest = Math.max(longest, now - killed.since);
      waiting.delete(id);
    }
  };
  const watching = (async () => {
    while (!stopped) {
      await look();
      await sleep(50);
    }
  })();
  return {
    async killed() {
      const since = Date.now();
      const rows: Row[] = await db('renders').where({ status: 'processing' });
      for (const { id, worker } of rows) {
        if (waiting.has(id)) continue;
        waiting.set(id, { since, worker });
        seen += 1;
      }
    },
    seen: () => seen,
    async stop(): Promise<number> {
      stopped = true;
      await watching;
      await look();
      expect([...waiting.keys()]).toEqual([]);
      return longest;
    },
  };
}
