// Runs a mixed load at an even rate for minutes, and tests that memory levels off and that file descriptors, threads
// and zombies do not grow.
//
// `SOAK_MINUTES=60` runs for an hour, long enough to measure a slope per hour. At the end it prints the caches' sizes
// by kind: growing memory is either a cache that fills (up to PLATEN_CACHE_MB) or a leak, and the two look alike from
// outside.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openServices } from '#server/services.ts';
import { loadAssets } from '../../bench/assets.ts';
import { randomFrom } from '../../bench/statistics.ts';
import { WORKLOADS } from '../../bench/workloads.ts';
import { SERVER_FLAGS, withSettings } from '../../bin/node-settings.mjs';
import { loadConfig } from '../../src/server/config/config.ts';
import { ROOT } from '../command.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 1);
/** Requests per second: what two processors can do besides the rest. */
const RATE = 12;
/** The cache size, MiB: small, so that caches are full within the warm-up. */
const CACHE = process.env.SOAK_CACHE_MB ?? '16';
/** The share of the time in which code is compiled and caches fill; it is not measured. */
const WARM_UP = 0.5;
/**
 * The ratio of mean memory in the second half of the measurement to the first, at most: minutes are too short for a
 * slope of 1 % an hour.
 */
const LEVEL = 1.05;
/**
 * The bound for the median over all samples of the answering thread's longest turn, ms of processor time. Each kind of
 * request comes a few times between two samples, so that a slow one shows in nearly all of them. The host of a virtual
 * machine can add 50 to 300 ms to a single turn.
 */
const LONGEST_TURN = 20;

interface Look {
  /** Since the start. */
  readonly minutes: number;
  readonly megabytes: number;
  readonly files: number;
  readonly threads: number;
  readonly zombies: number;
}

/** Reads a process's figures from /proc. */
function look(pid: number, since: number): Look {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const zombies = readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? [];
      return state === 'Z' && Number(parent) === pid;
    } catch {
      return false;
    }
  });
  return {
    minutes: (performance.now() - since) / 60_000,
    megabytes: number('VmRSS') / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: number('Threads'),
    zombies: zombies.length,
  };
}

async function prepare(folder: string) {
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder }));
  const { id: account } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  let cards = JSON.stringify(WORKLOADS.map(({ template }) => template));
  const { images } = await loadAssets();
  for (const name of ['photo.jpg', 'portrait.jpg', 'logo.png']) {
    const { id } = await services.images.upload(account, images.get(name)?.bytes ?? Buffer.alloc(0));
    cards = cards.replaceAll(`"src":"${name}"`, `"src":"${id}"`);
  }
  const templates: string[] = [];
  for (const card of JSON.parse(cards)) templates.push((await services.templates.create(account, card)).id);
  const box = { x: 0, y: 0, width: 400, height: 300 };
  const layers = [{ name: 'drawing', type: 'image', ...box, optional: true }];
  const drawing = await services.templates.create(account, { name: 'Drawing', width: 400, height: 300, layers });
  return {
    drawing: drawing.id,
    key: (await services.keys.create(account, 'live')).key,
    secret: (await services.accounts.secrets(account)).signing,
    templates,
  };
}

/** An SVG file from outside, which another process draws; each is different. */
function drawingOf(i: number): string {
  const circle = `<circle cx="200" cy="150" r="${50 + (i % 90)}" fill="#${(i % 4096).toString(16).padStart(3, '0')}"/>`;
  const file = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><title>${i}</title>${circle}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(file).toString('base64')}`;
}

/** Sends requests of random kinds at an even rate. */
function startLoad(url: string, { key, secret, templates, drawing }: Awaited<ReturnType<typeof prepare>>) {
  const random = randomFrom(1);
  const answers: Record<string, number> = {};
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(url + path, { method, headers, body: sent });
    await answer.arrayBuffer();
    answers[answer.status] = (answers[answer.status] ?? 0) + 1;
  };
  const send = (i: number) => {
    const which = i % templates.length;
    const template = templates[which] ?? '';
    const modifications = WORKLOADS[which]?.strings(i) ?? {};
    const output = (['png', 'jpeg', 'webp', 'pdf'] as const)[Math.floor(i / 3) % 4] ?? 'png';
    const signed = (n: number) => {
      const parameters = Object.entries(WORKLOADS[which]?.strings(n) ?? {});
      return `/v1/templates/${template}/render.png?${signedQuery(secret, { template, extension: 'png', parameters })}`;
    };
    const kinds = [
      () => ask('POST', '/v1/renders', { template, modifications, output }),
      () => ask('GET', signed(i)),
      () => ask('GET', signed(Math.floor(random() * 20))),
      () => ask('POST', '/v1/renders', { template, modifications, output, async: true }),
      () => ask('POST', '/v1/renders/batch', { template, items: [modifications, { title: String(i) }] }),
      () => ask('POST', `/v1/templates/${template}/layout`, { modifications }),
      () =>
        ask('POST', '/v1/renders', { template: drawing, modifications: { drawing: { src: drawingOf(i) } }, output }),
      () => ask('POST', '/v1/renders', '{"template":'),
      () => ask('GET', `/v1/renders/rnd_${i}`),
      () => ask('GET', '/v1/usage'),
    ];
    return kinds[Math.floor(random() * kinds.length)]?.();
  };
  let isOver = false;
  const under = new Set<Promise<unknown>>();
  const sending = (async () => {
    for (let i = 0; !isOver; i += 1) {
      const sent = Promise.resolve(send(i)).finally(() => under.delete(sent));
      under.add(sent);
      // Bounds the open requests, so that a machine slower than the rate is not overloaded.
      while (under.size > 2 * RATE) await Promise.race(under);
      await sleep(1_000 / RATE);
    }
    await Promise.all(under);
  })();
  return {
    answers,
    async stop() {
      isOver = true;
      await sending;
    },
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The lowest of every six looks: pictures that are being drawn just then take up to 8 MB each, which is no growth. */
function floors(looks: readonly Look[]): Look[] {
  const least = (some: readonly Look[]) => some.reduce((low, one) => (one.megabytes < low.megabytes ? one : low));
  return Array.from({ length: Math.floor(looks.length / 6) }, (_, i) => least(looks.slice(6 * i, 6 * i + 6)));
}

/** The slope of a regression line through the samples, MB per hour. */
function slope(looks: readonly Look[]): number {
  const [t, m] = [mean(looks.map(({ minutes }) => minutes)), mean(looks.map(({ megabytes }) => megabytes))];
  const over = looks.reduce((sum, { minutes, megabytes }) => sum + (minutes - t) * (megabytes - m), 0);
  return (60 * over) / looks.reduce((sum, { minutes }) => sum + (minutes - t) ** 2, 0);
}

test.skipIf(process.platform !== 'linux')(
  `a mixed load for ${MINUTES} min`,
  // A retry would give no new information.
  { timeout: (MINUTES + 3) * 60_000, retry: 0 },
  async () => {
    await using folder = await temporaryFolder();
    const made = await prepare(folder.path);
    const watch = join(import.meta.dirname, 'watch-turns.ts');
    const command = [process.execPath, ...SERVER_FLAGS, '--import', watch, join(ROOT, 'src/main.ts')];
    const metricsPort = String(20_000 + (process.pid % 10_000));
    const env = {
      ...withSettings({}),
      PLATEN_CACHE_MB: CACHE,
      PLATEN_METRICS_PORT: metricsPort,
      PLATEN_PREVIEWS_PER_MINUTE: '0',
    };
    await using server = await startProcess(folder.path, env, command);
    const turns: number[] = [];
    server.child.stdout?.on('data', (chunk) => {
      for (const [, ms] of String(chunk).matchAll(/longest turn ([\d.]+)/g)) turns.push(Number(ms));
    });
    const load = startLoad(server.url, made);
    const start = performance.now();
    const looks: Look[] = [];
    const step = Math.min(10_000, (MINUTES * 60_000) / 24);
    while (performance.now() - start < MINUTES * 60_000) {
      await sleep(step);
      looks.push(look(server.pid, start));
      server.child.kill('SIGUSR2');
    }
    const kept = (await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()).match(
      /^platen_cache_bytes.*$/gm,
    );
    await load.stop();

    const warm = looks.slice(Math.floor(looks.length * WARM_UP));
    const low = floors(warm);
    const [first, second] = [low.slice(0, low.length >> 1), low.slice(low.length >> 1)];
    const size = (some: readonly Look[]) => mean(some.map(({ megabytes }) => megabytes));
    const sorted = turns.slice(Math.floor(turns.length * WARM_UP)).toSorted((a, b) => a - b);
    const [middle, longest] = [sorted[sorted.length >> 1], sorted.at(-1)];
    const of = (name: 'files' | 'threads' | 'zombies') => warm.map((one) => one[name]);
    console.info(
      `answers ${JSON.stringify(load.answers)}; MB ${looks.map(({ megabytes }) => Math.round(megabytes)).join(' ')}; ` +
        `slope ${slope(low).toFixed(1)} MB an hour of ${Math.round(size(low))}; files ${Math.min(...of('files'))} to ` +
        `${Math.max(...of('files'))}, threads ${Math.min(...of('threads'))} to ${Math.max(...of('threads'))}, zombies ` +
        `${Math.max(...of('zombies'))}; longest turn ${middle} ms in the middle of the looks, ${longest} in all\n${kept?.join('\n')}`,
    );
    expect(Object.keys(load.answers).filter((status) => Number(status) >= 500)).toEqual([]);
    if (MINUTES >= 60) expect(slope(low)).toBeLessThan(0.01 * size(low));
    else expect(size(second)).toBeLessThan(LEVEL * size(first));
    expect(Math.max(...of('files'))).toBeLessThan(Math.min(...of('files')) + 64);
    expect(Math.max(...of('threads'))).toBeLessThanOrEqual(Math.min(...of('threads')) + 8);
    expect(Math.max(...of('zombies'))).toBe(0);
    expect(middle).toBeLessThan(LONGEST_TURN);
  },
);
