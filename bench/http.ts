// Measures renders over HTTP, from outside: throughput, the server's overhead per render, and memory over time.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SERVER_FLAGS, withSettings } from '../bin/node-settings.mjs';
import { makeAlbum } from './assets.ts';
import type { DrawOrder, Health, ServerAddress } from './http-server.ts';
import type { Output } from './peers/peer.ts';
import { startRunner } from './race.ts';
import { ROTATED, servedWorkload } from './served.ts';
import { median } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

/** Requests in flight: enough to keep two CPU cores busy. */
export const CONCURRENCY = 4;
const WARM_UP = 60;
/** ms for which a server gets requests before it is another's turn. */
const TURN_MS = 1_500;
const WARM_UP_TURNS = 2;

/**
 * The kinds of servers that are compared: Platen, takumi behind Platen's own app, and takumi behind an app that only
 * writes a file.
 */
const SERVERS = ['platen', 'takumi', 'takumi, bare app'] as const;
export type ServerKind = (typeof SERVERS)[number] | 'idle' | 'koa static' | 'drawing';

/** The three cards separately, then sixty templates in turn. */
const THROUGHPUT: readonly (readonly [workload: string, names: readonly string[]])[] = [
  ...WORKLOADS.map(({ name }) => [name, [name]] as const),
  ['rotation', ROTATED.map(({ name }) => name)],
];

export interface Throughput {
  readonly renderer: ServerKind;
  readonly workload: string;
  /** PNGs by `POST /v1/renders`, with `concurrency` requests in flight: the median of the server's turns. */
  readonly rendersPerSecond: number;
  /** The server's CPU time per render. */
  readonly cpuMs: number;
  readonly concurrency: number;
}

export interface Overhead {
  readonly workload: string;
  /** Medians: of a request with no other in flight, and of the same render in its own process. */
  readonly requestMs: number;
  readonly renderMs: number;
  readonly ratio: number;
}

export interface Endurance {
  readonly renders: number;
  /** Resident memory after each tenth of the renders, MB. */
  readonly megabytes: readonly number[];
  /** Longest delay of the event loop after the warm-up, ms. */
  readonly longestDelay: number;
  /** The same for an idle process at that time, which shows the machine's own delays, ms. */
  readonly longestIdleDelay: number;
  /**
   * The part of the longest delay that the server itself may cause: the most CPU time of its thread in one turn of the
   * loop, ms.
   */
  readonly longestTurn: number;
}

export interface Server extends AsyncDisposable {
  /** Its origin, or ''. */
  readonly url: string;
  /** The parts of a signed URL for a workload's template. */
  signing(workload: string): { readonly template: string; readonly secret: string; readonly origin: string };
  render(workload: string, output: Output, i: number): Promise<void>;
  health(): Promise<Health>;
}

/** @param folder the server's data, or the files that it serves */
export async function startServer(kind: ServerKind, folder = newFolder()): Promise<Server> {
  await makeAlbum();
  const child: ChildProcess = fork(join(import.meta.dirname, 'http-server.ts'), [kind, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: SERVER_FLAGS,
    env: withSettings(process.env),
  });
  const gone = once(child, 'exit').then(() => Promise.reject(new Error(`the ${kind} server has ended`)));
  // It also ends normally, when nothing waits for it any more.
  gone.catch(() => {});
  const [{ url, headers, templates, secret }] = (await Promise.race([once(child, 'message'), gone])) as [ServerAddress];
  child.on('message', (message: Health | { readonly drawn: number }) => {
    if ('drawn' in message) child.emit(`drawn ${message.drawn}`);
    else child.emit('health', message);
  });
  const agent = new Agent({ keepAlive: true });
  const origin = url === '' ? '' : new URL(url).origin;
  return {
    url: origin,
    signing: (workload) => ({ template: templates[workload] ?? '', secret, origin }),
    async render(name, output, i) {
      if (kind === 'drawing') {
        const drawn = once(child, `drawn ${i}`);
        child.send({ draw: name, output, i } satisfies DrawOrder);
        await drawn;
        return;
      }
      const modifications = servedWorkload(name).strings(i);
      const body = JSON.stringify({ template: templates[name], modifications, output });
      const { status, answer } = await post(url, agent, headers, body);
      if (status !== 200) throw new Error(`${kind} answered ${status}: ${answer}`);
    },
    async health() {
      child.send('health');
      const [health] = (await once(child, 'health')) as [Health];
      return health;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

let data: string | null = null;

/**
 * Creates a folder for a server's data that exists until this process ends, not only until the server does. For minutes
 * after files were deleted, ext4 checks each of them before it creates another (`recently_deleted` in its ialloc.c),
 * and whatever is measured after a thousand renders would pay for that.
 */
export function newFolder(): string {
  data ??= folderOfAll();
  return mkdtempSync(join(data, 'server-'));
}

function folderOfAll(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Uses Node's plain client: it shares the CPU with the server, and `fetch` takes twice as much. */
async function post(url: string, agent: Agent, headers: ServerAddress['headers'], body: string) {
  const length = Buffer.byteLength(body);
  const asked = request(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  asked.end(body);
  const [response] = await answered;
  return { status: response.statusCode, answer: await text(response) };
}

/** Calls `work` with 0, 1, 2 … until it returns false, `concurrency` calls at a time. */
export async function inFlight(concurrency: number, work: (i: number) => Promise<boolean>): Promise<void> {
  let i = 0;
  const worker = async () => {
    while (await work(i++));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** The servers take turns of a second or two, so that conditions on the machine are the same for all. */
export async function measureThroughput(rounds: number): Promise<Throughput[]> {
  await using stack = new AsyncDisposableStack();
  const servers = new Map<ServerKind, Server>();
  for (const kind of SERVERS) servers.set(kind, stack.use(await startServer(kind)));
  const rows: Throughput[] = [];
  let asked = 0;
  for (const [workload, names] of THROUGHPUT) {
    const nameOf = (i: number) => names[i % names.length] ?? workload;
    const rates = new Map([...servers.keys()].map((kind) => [kind, [] as number[]]));
    const costs = new Map([...servers.keys()].map((kind) => [kind, [] as number[]]));
    // Turns before the first counted one are for warming up.
    for (let round = -WARM_UP_TURNS; round < rounds; round++) {
      for (const [kind, server] of servers) {
        const [before, first] = [(await server.health()).cpuMs, asked];
        const rate = await rateOf(TURN_MS, () => server.render(nameOf(asked), 'png', asked++));
        if (round < 0) continue;
        rates.get(kind)?.push(rate);
        costs.get(kind)?.push(((await server.health()).cpuMs - before) / (asked - first));
      }
    }
    for (const [renderer, found] of rates) {
      const rendersPerSecond = Math.round(median(found) * 10) / 10;
      const cpuMs = Math.round(median(costs.get(renderer) ?? []) * 10) / 10;
      rows.push({ renderer, workload, rendersPerSecond, cpuMs, concurrency: CONCURRENCY });
    }
  }
  return rows;
}

/** How often per second `work` finishes within `ms`, CONCURRENCY at a time. */
async function rateOf(ms: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  let done = 0;
  await inFlight(CONCURRENCY, async () => {
    await work();
    done++;
    return performance.now() - start < ms;
  });
  return (1000 * done) / (performance.now() - start);
}

/** Request and render alternate, so that conditions on the machine are the same for both. */
export async function measureOverhead(rounds: number): Promise<Overhead[]> {
  await using server = await startServer('platen');
  await using runner = await startRunner('platen');
  const rows: Overhead[] = [];
  for (const { name: workload } of WORKLOADS) {
    const [requests, renders]: [number[], number[]] = [[], []];
    for (let i = 0; i < WARM_UP + rounds; i++) {
      const start = performance.now();
      await server.render(workload, 'png', i);
      const ms = performance.now() - start;
      const answer = await runner.ask({ workload, output: 'png', i, look: null });
      if (answer.kind !== 'rendered') throw new Error(`platen failed on ${workload}`);
      if (i < WARM_UP) continue;
      requests.push(ms);
      renders.push(answer.ms);
    }
    const [requestMs, renderMs] = [median(requests), median(renders)];
    rows.push({
      workload,
      requestMs: Math.round(requestMs * 100) / 100,
      renderMs: Math.round(renderMs * 100) / 100,
      ratio: Math.round((requestMs / renderMs) * 100) / 100,
    });
  }
  return rows;
}

/** Sixty templates and all outputs in turn, two requests in flight. */
export async function measureEndurance(renders: number): Promise<Endurance> {
  await using server = await startServer('platen');
  await using idle = await startServer('idle');
  const outputs: readonly Output[] = ['png', 'jpeg', 'webp', 'pdf'];
  const megabytes: number[] = [];
  let longestDelay = 0;
  let longestIdleDelay = 0;
  let longestTurn = 0;
  for (let tenth = 0; tenth < 10; tenth++) {
    const from = (tenth * renders) / 10;
    await inFlight(2, async (i) => {
      const { name } = ROTATED[(from + i) % ROTATED.length] as (typeof ROTATED)[number];
      await server.render(name, outputs[Math.floor((from + i) / ROTATED.length) % 4] as Output, from + i);
      return i < renders / 10;
    });
    const [health, idleHealth] = [await server.health(), await idle.health()];
    megabytes.push(Math.round(health.rss / 1e6));
    // The first tenth includes compilation and filling caches.
    if (tenth === 0) continue;
    longestDelay = Math.max(longestDelay, health.longestDelay);
    longestIdleDelay = Math.max(longestIdleDelay, idleHealth.longestDelay);
    longestTurn = Math.max(longestTurn, health.longestTurn);
  }
  const rounded = (ms: number) => Math.round(ms * 10) / 10;
  return {
    renders,
    megabytes,
    longestDelay: rounded(longestDelay),
    longestIdleDelay: rounded(longestIdleDelay),
    longestTurn: rounded(longestTurn),
  };
}
