// Replaces three servers on one PostgreSQL behind HAProxy, one after the other, by the next version, which migrates the
// database while the others run, at 20 requests a second: no request may fail. Also starts ten servers together on an
// empty database. `UPGRADE_SECONDS=600 npm run test:heavy -- rolling-upgrade` for ten minutes.

import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openServices } from '#server/services.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { runOn } from '../server/storage/postgres/run-on.ts';
import { startPostgres } from '../server/storage/postgres/start-postgres.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { freePorts, HAPROXY, startBalancer } from './balancer.ts';
import { NEXT_VERSION, writeNextVersion } from './next-version.ts';

const SECONDS = Number(process.env.UPGRADE_SECONDS ?? 30);
/** Requests a second. */
const RATE = 20;
const NODES = 3;

const CARD = {
  name: 'Card',
  width: 600,
  height: 315,
  background: '#0b1020',
  layers: [{ name: 'title', type: 'text', text: '', fontSize: 48, color: '#fff', x: 40, y: 40, width: 520 }],
};

interface Made {
  readonly account: string;
  readonly key: string;
  readonly secret: string;
  readonly template: string;
}

/** Sends renders, jobs and signed URLs at a fixed rate, whether or not earlier requests are answered. */
function startLoad(url: string, { key, secret, template }: Made) {
  const failed: string[] = [];
  const underWay = new Set<Promise<void>>();
  const agent = new Agent({ keepAlive: true });
  const took: number[] = [];
  let [sent, jobs] = [0, 0];
  const ask = async (method: string, path: string, expected: number, body?: object) => {
    const start = performance.now();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const asked = request(`${url}${path}`, { method, agent, headers });
    asked.end(body ? JSON.stringify(body) : undefined);
    const [answer] = await once(asked, 'response');
    const said = await text(answer);
    took.push(performance.now() - start);
    if (answer.statusCode !== expected) throw new Error(`${path} ${answer.statusCode} ${said.slice(0, 120)}`);
  };
  const wishes = [
    (title: string) => ask('POST', '/v1/renders', 200, { template, modifications: { title } }),
    (title: string) => {
      const picture = { template, extension: 'png', parameters: [['title', title] as const] };
      return ask('GET', `/v1/templates/${template}/render.png?${signedQuery(secret, picture)}`, 200);
    },
    async (title: string) => {
      await ask('POST', '/v1/renders', 202, { template, modifications: { title }, async: true });
      jobs += 1;
    },
    () => ask('GET', '/v1/account', 200),
  ];
  const send = () => {
    const title = `Request ${sent}`;
    const asked: Promise<void> = Promise.resolve(wishes[sent % wishes.length]?.(title))
      .catch((error) => void failed.push(`${title}: ${error}`))
      .finally(() => underWay.delete(asked));
    underWay.add(asked);
    sent += 1;
  };
  const timer = setInterval(send, 1_000 / RATE);
  return {
    failed,
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
      took.sort((a, b) => a - b);
      return { sent, jobs, median: took[took.length >> 1] ?? 0, slowest: took.at(-1) ?? 0 };
    },
  };
}

test.skipIf(!HAPROXY)(
  `three servers replaced by the next version in ${SECONDS} s: no request fails`,
  { timeout: SECONDS * 1_000 + 300_000 },
  async () => {
    await using parts = new AsyncDisposableStack();
    const postgres = parts.use(await startPostgres());
    await runOn(postgres.urlOf('postgres'), 'CREATE DATABASE platen');
    const folder = parts.use(await temporaryFolder());
    const [data, next] = [join(folder.path, 'data'), join(folder.path, 'next')];
    await mkdir(next);
    const command = await writeNextVersion(next);
    const plans = JSON.stringify({ large: { quota: 1_000_000, blocks: true } });
    const env = {
      DATABASE_URL: postgres.urlOf('platen'),
      PLATEN_SHARED_FILES: 'true',
      PLATEN_PLANS: plans,
      PLATEN_DRAIN_DELAY: '',
    };
    const [port = 0, reportPort = 0, ...ports] = await freePorts(2 + NODES);
    const start = (index: number, version?: string[]) =>
      startProcess(data, { ...env, PORT: String(ports[index]) }, version);
    const servers: ServerProcess[] = [];
    parts.defer(async () => {
      for (const server of servers) await server[Symbol.asyncDispose]();
    });
    for (let index = 0; index < NODES; index += 1) servers[index] = await start(index);
    const made = await prepare({ ...env, PLATEN_DATA: data });
    const balancer = parts.use(await startBalancer(folder.path, port, reportPort, ports));
    const allUp = () =>
      expect.poll(() => balancer.states().catch(() => []), { timeout: 60_000 }).toEqual(Array(NODES).fill('UP'));
    await allUp();

    const db = await openDatabase(postgres.urlOf('platen'));
    parts.defer(() => db.destroy());
    const schema = async () => (await db('migrations').max({ version: 'version' }))[0]?.version as number;
    expect(await schema()).toBeLessThan(NEXT_VERSION);
    const load = startLoad(`http://127.0.0.1:${port}`, made);
    const end = performance.now() + SECONDS * 1_000;
    const pause = (SECONDS * 1_000) / (NODES + 1);
    for (let index = 0; index < NODES; index += 1) {
      await sleep(pause / 2);
      const old = servers[index] as ServerProcess;
      old.child.kill('SIGTERM');
      expect(await once(old.child, 'exit')).toEqual([0, null]);
      servers[index] = await start(index, command);
      await allUp();
      // The migration is done, and the new and the old servers work side by side.
      expect(await schema()).toBe(NEXT_VERSION);
    }
    await sleep(Math.max(0, end - performance.now()));
    const { sent, jobs, median, slowest } = await load.stop();
    console.log(
      `${sent} requests while three servers were replaced, ${load.failed.length} failed; ` +
        `median ${Math.round(median)} ms, slowest ${Math.round(slowest)} ms`,
    );
    expect(load.failed).toEqual([]);
    expect(sent).toBeGreaterThan(SECONDS * RATE * 0.7);

    const ofAccount = () => db('renders').where({ account_id: made.account });
    const open = () => ofAccount().whereIn('status', ['queued', 'processing']).pluck('id');
    await expect.poll(open, { timeout: 60_000 }).toEqual([]);
    const rows: { status: string; metered: unknown }[] = await ofAccount();
    expect(rows.filter(({ status }) => status !== 'done')).toEqual([]);
    // Renders and jobs have a row each; pictures of signed URLs have only a usage unit.
    expect(rows.length).toBeGreaterThanOrEqual(jobs * 2 - 1);
    const units = await db('usage_units').where({ account_id: made.account });
    const usage = await db('usage').where({ account_id: made.account }).first();
    expect(units.every(({ state }) => state === 'used')).toBe(true);
    expect(usage).toMatchObject({ used: units.length, reserved: 0 });
  },
);

async function prepare(env: Readonly<Record<string, string>>): Promise<Made> {
  await using services = await openServices(loadConfig(env));
  const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'large' });
  return {
    account: id,
    key: (await services.keys.create(id, 'live')).key,
    secret: (await services.accounts.secrets(id)).signing,
    template: (await services.templates.create(id, CARD)).id,
  };
}

test('ten servers that start together on an empty database all start', async () => {
  await using parts = new AsyncDisposableStack();
  const postgres = parts.use(await startPostgres());
  await runOn(postgres.urlOf('postgres'), 'CREATE DATABASE platen');
  const folder = parts.use(await temporaryFolder());
  const env = {
    DATABASE_URL: postgres.urlOf('platen'),
    PLATEN_SHARED_FILES: 'true',
    PLATEN_RENDER_CONCURRENCY: '1',
  };
  const started = await Promise.allSettled(Array.from({ length: 10 }, () => startProcess(folder.path, env)));
  for (const one of started) if (one.status === 'fulfilled') parts.use(one.value);
  expect(started.filter(({ status }) => status === 'rejected')).toEqual([]);
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(servers.filter(({ printed }) => printed.includes('A first start'))).toHaveLength(1);
});
