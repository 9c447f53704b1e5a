// Tests that an account that sends 1,500 renders at once, again and again, each over its own connection, does not block
// another: the other account's simple card is always answered. Prints how long the card takes, at rest and during the
// bursts. `STRICT=1`, for an otherwise idle machine, also requires a p99 of at most five times that at rest.
//
// The server, the crowd and this test are separate processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { ROOT } from '../command.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Burst } from './crowd.ts';

const CROWD = Number(process.env.CROWD ?? 1_500);
/** Cards of the other account that are measured, at rest and during the bursts. */
const CARDS = Number(process.env.CARDS ?? 200);
/** The p99 during the bursts, at most, as a multiple of the one at rest. */
const MOST = 5;

const card = (blur: number) => ({
  name: 'Card',
  width: 1200,
  height: 630,
  background: '#0b1020',
  layers: [
    { name: 'glow', type: 'shape', shape: 'ellipse', width: 900, height: 500, fill: '#3a5cff', blur },
    { name: 'title', type: 'text', text: '', fontSize: 96, color: '#fff', x: 80, y: 80, width: 1040 },
  ],
});

interface Account {
  readonly key: string;
  readonly template: string;
}

/** Returns how long a render takes on a connection of its own, ms. */
function measureCard(url: string, { key, template }: Account, title: string): Promise<number> {
  const start = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  request(`${url}/v1/renders`, { method: 'POST', agent: false, headers }, async (answer) => {
    const said = await text(answer);
    if (answer.statusCode === 200) resolve(performance.now() - start);
    else reject(new Error(`${answer.statusCode}: ${said}`));
  })
    .on('error', reject)
    .end(JSON.stringify({ template, modifications: { title } }));
  return promise;
}

/** Renders one card after the other with a short pause, as for occasional page views; returns the times, ms, sorted. */
async function measure(url: string, account: Account, name: string, cards = CARDS): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < cards; i += 1) {
    times.push(await measureCard(url, account, `${name} ${i}`));
    await sleep(10 * Math.random());
  }
  return times.toSorted((a, b) => a - b);
}

const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
const show = (sorted: readonly number[]) =>
  [0.5, 0.9, 0.99, 1].map((q) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0).toFixed(1));

async function startCrowd(url: string, { key, template }: Account) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crowd.ts'), url, key, template, String(CROWD)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const printed = text(child.stdout);
  return {
    /** Ends the crowd and returns the results of its bursts. */
    async stop(): Promise<Burst[]> {
      child.stdin.end();
      return (await printed)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test(`${CROWD} renders of one account at once: another is answered`, async () => {
  await using folder = await temporaryFolder();
  const [busy, other] = await (async () => {
    await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path }));
    const open = async (document: object): Promise<Account> => {
      const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
      const template = (await services.templates.create(id, document)).id;
      return { key: (await services.keys.create(id, 'live')).key, template };
    };
    return [await open(card(20)), await open(card(0))] as const;
  })();
  const env = process.env.REQUESTS_AT_ONCE ? { PLATEN_REQUESTS_AT_ONCE: process.env.REQUESTS_AT_ONCE } : {};
  await using server = await startProcess(folder.path, env, [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve']);
  // Warms up first: the first renders of a process wait for code to be compiled, which is not the state at rest.
  await measure(server.url, busy, 'warm', 50);
  await measure(server.url, other, 'warm');
  const rest = await measure(server.url, other, 'rest');
  await using crowd = await startCrowd(server.url, busy);
  await sleep(500);
  const beside = await measure(server.url, other, 'beside');
  const bursts = await crowd.stop();
  console.info(
    `another account's card, ms, p50 p90 p99 max: at rest ${show(rest).join(' ')}; ` +
      `beside ${CROWD} at once ${show(beside).join(' ')}; ` +
      `bursts: ${bursts.map(({ ms, answers }) => `${ms} ms ${JSON.stringify(answers)}`).join(', ')}`,
  );
  expect(
    bursts.map(({ answers }) => Object.keys(answers).filter((status) => !['200', '429', '503'].includes(status))),
  ).toEqual(bursts.map(() => []));
  // Each of the other account's cards was answered, as `measure` throws otherwise. Their times depend on the machine's
  // load.
  if (process.env.STRICT) expect(quantile(beside, 0.99)).toBeLessThan(MOST * quantile(rest, 0.99));
});
