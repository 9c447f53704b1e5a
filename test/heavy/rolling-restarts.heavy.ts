// Restarts two servers behind HAProxy in turns under load, and tests that no request fails.
//
// Each server has its own data folder with the same accounts, keys and templates, like two machines of one deployment.
// HAProxy checks /readyz, and never repeats a request that a server has been sent.

import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { freePorts, HAPROXY, startBalancer } from './balancer.ts';

const RESTARTS = Number(process.env.RESTARTS ?? 6);
const CLIENTS = 6;
/** The pause between two requests of a client, ms. */
const PAUSE = 60;
const CARD = {
  name: 'Card',
  width: 1200,
  height: 630,
  background: '#0b1020',
  layers: [
    { name: 'glow', type: 'shape', shape: 'ellipse', width: 900, height: 500, fill: '#3a5cff', blur: 40 },
    { name: 'title', type: 'text', text: '', fontSize: 96, color: '#fff', x: 80, y: 80, width: 1040 },
  ],
};

async function prepare(folder: string) {
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder }));
  const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  return {
    key: (await services.keys.create(id, 'live')).key,
    secret: (await services.accounts.secrets(id)).signing,
    template: (await services.templates.create(id, CARD)).id,
  };
}

interface Made {
  readonly key: string;
  readonly secret: string;
  readonly template: string;
}

/** Starts clients that render, request pictures and read the account, each over its own persistent connection. */
function startLoad(url: string, { key, secret, template }: Made) {
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const ask = async (agent: Agent, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const asked = request(`${url}${path}`, { method, agent, headers });
    asked.end(body ? JSON.stringify(body) : undefined);
    const [answer] = await once(asked, 'response');
    const said = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${said.slice(0, 80)}`);
  };
  const client = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; !isOver; round += 1) {
      const title = `${number}.${round}`;
      const picture = { template, extension: 'png', parameters: [['title', title] as const] };
      const wishes = [
        () => ask(agent, 'POST', '/v1/renders', { template, modifications: { title } }),
        () => ask(agent, 'GET', `/v1/templates/${template}/render.png?${signedQuery(secret, picture)}`),
        () => ask(agent, 'GET', '/v1/account'),
      ];
      try {
        await wishes[(number + round) % wishes.length]?.();
        answered += 1;
      } catch (error) {
        failed.push(String(error));
      }
      await sleep(PAUSE * (0.5 + Math.random()));
    }
    agent.destroy();
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  return {
    failed,
    answered: () => answered,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

test.skipIf(!HAPROXY)(`${RESTARTS} restarts behind a balancer: no request fails`, async () => {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const folders = [join(folder.path, 'a'), join(folder.path, 'b')];
  const made = await prepare(folders[0] ?? '');
  await cp(folders[0] ?? '', folders[1] ?? '', { recursive: true });
  const [port = 0, reportPort = 0, ...ports] = await freePorts(4);
  const start = (index: number) =>
    startProcess(folders[index] ?? '', { PORT: String(ports[index]), PLATEN_DRAIN_DELAY: '' });
  const servers: ServerProcess[] = [];
  parts.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  for (const index of [0, 1]) servers[index] = await start(index);
  const balancer = parts.use(await startBalancer(folder.path, port, reportPort, ports));
  const bothUp = () => expect.poll(() => balancer.states().catch(() => []), { timeout: 30_000 }).toEqual(['UP', 'UP']);
  await bothUp();
  const url = `http://127.0.0.1:${port}`;

  const load = startLoad(url, made);
  const took: number[] = [];
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const index = restart % 2;
    const told = performance.now();
    servers[index]?.child.kill('SIGTERM');
    expect(await once((servers[index] as ServerProcess).child, 'exit')).toEqual([0, null]);
    took.push(performance.now() - told);
    servers[index] = await start(index);
    await bothUp();
    // Lets both work for a moment.
    await sleep(300);
  }
  await load.stop();
  console.info(
    `${RESTARTS} restarts, each over within ${(Math.max(...took) / 1_000).toFixed(1)} s: ` +
      `${load.answered()} answers, ${load.failed.length} failed`,
  );
  expect(load.failed).toEqual([]);
  expect(load.answered()).toBeGreaterThan(RESTARTS * 20);
});
