// Tests clients that send slowly, send nothing, or do not read: they neither slow others down nor stay connected for
// long.
//
// The server, the slow clients and this test are separate processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/config.ts';
import { newId } from '../../src/ids.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SOCKETS = Number(process.env.SOCKETS ?? 200);
/** Time limit within which a slow socket must be closed, ms. */
const PATIENCE = 35_000;
/** Requests per side of the comparison, and rounds of both sides. */
const REQUESTS = 500;
const ROUNDS = 7;
/** More than the socket buffers of both ends take, bytes. */
const LARGE = 32 * 2 ** 20;

async function serverWithAccount() {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const config = loadConfig({ PLATEN_DATA: folder.path });
  const asset = newId('rnd');
  const key = await (async () => {
    await using services = await openServices(config);
    const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
    const made = { id: asset, accountId: id, kind: 'render', output: 'png', createdAt: new Date() } as const;
    const done = { ...made, status: 'done', size: LARGE, digest: null, warnings: [], finishedAt: new Date() } as const;
    await services.storage.renders.insert(done, null);
    return (await services.keys.create(id, 'live')).key;
  })();
  const server = parts.use(await startProcess(folder.path, { LOG_LEVEL: 'info' }));
  const file = `${asset}.png`;
  await writeFile(join(folder.path, 'assets', file), Buffer.alloc(LARGE));
  const owned = parts.move();
  const port = new URL(server.url).port;
  return { port, key, asset: `/assets/${file}`, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Starts slow clients of one kind; `lives` waits until all are closed and returns how long each was open, ms. */
async function slowClients(port: string, count: number, how: string, key: string, path = '') {
  const program = join(import.meta.dirname, 'slow-clients.ts');
  const child = spawn(process.execPath, [program, port, String(count), how, path], {
    env: { PATH: process.env.PATH, KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('open');
  return {
    lives: async (): Promise<number[]> => JSON.parse((await lines.next()).value ?? '[]'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Returns how long a request takes on its own connection, ms. */
function ask(port: string, key: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request({ port, path: '/v1/account', agent: false, headers }, (answer) => {
      expect(answer.statusCode).toBe(200);
      answer.resume().on('end', () => resolve(performance.now() - start));
    })
      .on('error', reject)
      .end();
  });
}

async function measure(port: string, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let done = 0; done < REQUESTS; done += 1) times.push(await ask(port, key));
  return times;
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

// Concurrent, as most of the time is waiting.
test.concurrent.each(['head', 'body', 'silent', 'reader'])(
  `${SOCKETS} slow sockets: %s: all are closed within 35 s`,
  async (how) => {
    await using server = await serverWithAccount();
    await using slow = await slowClients(server.port, SOCKETS, how, server.key, server.asset);
    const lives = await slow.lives();
    console.info(`${how}: ${lives.length} closed after ${Math.min(...lives)} to ${Math.max(...lives)} ms`);
    expect(lives).toHaveLength(SOCKETS);
    expect(Math.max(...lives)).toBeLessThan(PATIENCE);
    expect(await ask(server.port, server.key)).toBeLessThan(1_000);
  },
);

test(`${SOCKETS} slow sockets: the p99 of others is at most 1.5 times what it is without`, async () => {
  await using server = await serverWithAccount();
  await measure(server.port, server.key);
  const [without, beside]: [number[], number[]] = [[], []];
  const p99 = async () => quantile(await measure(server.port, server.key), 0.99);
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await p99());
    await using _slow = await slowClients(server.port, SOCKETS, 'head', server.key);
    beside.push(await p99());
  }
  const show = (times: readonly number[]) => times.map((time) => time.toFixed(1)).join(' ');
  console.info(`p99 in ms, by round: ${show(without)} without; ${show(beside)} beside ${SOCKETS} slow sockets`);
  // Compares the medians of the rounds, as other load on the machine affects single rounds.
  expect(quantile(beside, 0.5)).toBeLessThan(1.5 * quantile(without, 0.5));
});
