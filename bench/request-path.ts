// Measures what a request costs beside its drawing, in several checkouts side by side: processor time of all threads, time
// until the answer, renders a second with 64 at once, and what is done for it: statements, turns of the event loop, messages
// between threads, system calls; on PostgreSQL statements and round trips.
//
// `node bench/request-path.ts [FOLDER…]`: this checkout after the others, which are compared with the first. They take turns,
// so that other load on the machine affects all alike. Each runs what it has: its `dist`, unless a source is newer. ROUNDS=9,
// ONLY=times, counts or postgres, KIND=preview. Linux only.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { listen } from '../test/listen.ts';
import { runOn } from '../test/server/storage/postgres/run-on.ts';
import { startPostgres } from '../test/server/storage/postgres/start-postgres.ts';
import type { RequestCounts } from './request-counts.ts';
import { median } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 9);
const ROOT = join(import.meta.dirname, '..');
/** Requests of each kind before anything is measured: a young process compiles. */
const WARM_UP = 300;
/** Requests of which the work is counted. */
const COUNTED = 50;
const MANY = 64;

const TINY = {
  name: 'Tiny',
  width: 8,
  height: 8,
  layers: [{ name: 'box', type: 'shape', width: 8, height: 8, fill: '#336699' }],
};

interface Running {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly data: string;
  readonly url: string;
  readonly key: string;
  template: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: MANY });

async function start(folder: string, more: NodeJS.ProcessEnv = {}): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), 'request-path-'));
  const plan = { quota: 10_000_000, blocks: false };
  const child = spawn(process.execPath, ['bin/platen.mjs', 'serve'], {
    cwd: folder,
    env: {
      ...{
        PATH: process.env.PATH,
        PLATEN_DATA: data,
        PORT: '0',
        PLATEN_PLANS: JSON.stringify({ free: plan, pro: plan }),
      },
      ...{
        PLATEN_PREVIEWS_PER_MINUTE: '0',
        PLATEN_REQUESTS_PER_MINUTE: '0',
        PLATEN_REQUESTS_AT_ONCE: '0',
        PLATEN_DRAIN_DELAY: '0',
      },
      ...more,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  while (!/PLATEN_KEY=\S+\n/.test(printed)) {
    await sleep(50);
    if (child.exitCode !== null) throw new Error(`${folder} does not start: ${printed}`);
  }
  const [, url = ''] = /listening on (\S+)/.exec(printed) ?? [];
  const [, key = ''] = /PLATEN_KEY=(\S+)/.exec(printed) ?? [];
  const server: Running = { folder, child, data, url, key, template: '' };
  server.template = JSON.parse((await ask(server, 'POST', '/v1/templates', TINY)).toString()).id;
  return server;
}

async function stop({ child, data }: Running): Promise<void> {
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(data, { recursive: true, force: true });
}

async function ask(
  { key, url }: Running,
  method: string,
  path: string,
  body?: object,
  accept = '*/*',
): Promise<Buffer> {
  const headers = { accept, authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const asked = request(url + path, { method, agent, headers });
  asked.end(body ? JSON.stringify(body) : undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  if ((answer.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${bytes}`);
  return bytes;
}

interface Kind {
  readonly name: string;
  /** Requests in a turn. */
  readonly count: number;
  readonly atOnce: number;
  readonly ask: (server: Running) => Promise<unknown>;
}

const rendered = (server: Running, accept?: string) =>
  ask(server, 'POST', '/v1/renders', { template: server.template }, accept);

const ALL_KINDS: readonly Kind[] = [
  { name: 'GET /healthz', count: 400, atOnce: 1, ask: (server) => ask(server, 'GET', '/healthz') },
  { name: 'GET /v1/account', count: 300, atOnce: 1, ask: (server) => ask(server, 'GET', '/v1/account') },
  {
    name: 'a preview',
    count: 150,
    atOnce: 1,
    ask: (server) => ask(server, 'POST', `/v1/templates/${server.template}/preview`, {}),
  },
  { name: 'POST /v1/renders', count: 100, atOnce: 1, ask: (server) => rendered(server) },
  { name: 'the same, answered with the file', count: 100, atOnce: 1, ask: (server) => rendered(server, 'image/png') },
  { name: `POST /v1/renders, ${MANY} at once`, count: 400, atOnce: MANY, ask: (server) => rendered(server) },
];

const KINDS = ALL_KINDS.filter(({ name }) => name.includes(process.env.KIND ?? ''));

/** Processor time of all threads so far, ms: the first number of each schedstat (proc-schedstat). */
function processorTime({ child }: Running): number {
  const threads = `/proc/${child.pid}/task`;
  const times = readdirSync(threads).map((id) => {
    const path = `${threads}/${id}/schedstat`;
    return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ', 1)[0]) : 0;
  });
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

interface Turn {
  /** Processor time of a request, ms. */
  readonly cpu: number;
  /** Of each request, ms. */
  readonly waits: readonly number[];
  readonly perSecond: number;
}

async function turn(server: Running, { count, atOnce, ask: askOnce }: Kind): Promise<Turn> {
  const [cpu, start] = [processorTime(server), performance.now()];
  const waits: number[] = [];
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const asked = performance.now();
      await askOnce(server);
      waits.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const perSecond = (1_000 * count) / (performance.now() - start);
  return { cpu: (processorTime(server) - cpu) / count, waits, perSecond };
}

const atShare = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

async function measureTimes(servers: readonly Running[]): Promise<void> {
  for (const kind of KINDS) for (const server of servers) await turn(server, { ...kind, count: WARM_UP });
  for (const kind of KINDS) {
    const turns = servers.map((): Turn[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      // The first and the last of a round meet different conditions on the machine, so the order alternates.
      const order = round % 2 === 0 ? [...servers.keys()] : [...servers.keys()].reverse();
      for (const index of order) turns[index]?.push(await turn(servers[index] as Running, kind));
    }
    const ratio = (mine: readonly Turn[], of: (turn: Turn) => number) =>
      median(mine.map((one, round) => of(one) / of(turns[0]?.[round] ?? one))).toFixed(2);
    const shown = turns.map((mine) => {
      const waits = mine.flatMap((one) => one.waits);
      const cpu = median(mine.map((one) => one.cpu));
      const perSecond = median(mine.map((one) => one.perSecond));
      return [
        `${cpu.toFixed(2)} ms processor (${ratio(mine, (one) => one.cpu)})`,
        `p50 ${atShare(waits, 0.5).toFixed(2)} p95 ${atShare(waits, 0.95).toFixed(2)}`,
        ...(kind.atOnce > 1 ? [`${perSecond.toFixed(0)} a second (${ratio(mine, (one) => one.perSecond)})`] : []),
      ].join(', ');
    });
    console.log(`${kind.name.padEnd(34)} ${shown.join('   |   ')}`);
  }
}

async function countsOf(server: Running, file: string): Promise<RequestCounts> {
  rmSync(file, { force: true });
  server.child.kill('SIGUSR2');
  while (!existsSync(file)) await sleep(20);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const CALLS = [
  'fsync',
  'fdatasync',
  'pwrite64',
  'write',
  'openat',
  'rename',
  'close',
  'futex',
  'epoll_wait',
  'epoll_pwait',
];

/** System calls of a request by name, of all threads; null where strace cannot be used. */
async function systemCalls(server: Running, kind: Kind): Promise<Readonly<Record<string, number>> | null> {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const file = join(server.data, 'strace');
  const strace = spawn('strace', ['-f', '-c', '-o', file, '-p', String(server.child.pid)], { stdio: 'ignore' });
  await sleep(1_000);
  if (strace.exitCode !== null) return null;
  await turn(server, { ...kind, count: COUNTED });
  const ended = once(strace, 'exit');
  strace.kill('SIGINT');
  await ended;
  const found: Record<string, number> = {};
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, calls, name = ''] = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+\d+)?\s+(\w+)$/.exec(line) ?? [];
    if (name === 'total' || CALLS.includes(name)) found[name] = Number(calls) / COUNTED;
  }
  return found;
}

const inOneLine = (counts: object) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${Number(count).toFixed(1)}`)
    .join(', ');

async function measureCounts(folders: readonly string[]): Promise<void> {
  const counter = pathToFileURL(join(import.meta.dirname, 'request-counts.ts')).href;
  for (const folder of folders) {
    const file = join(mkdtempSync(join(tmpdir(), 'request-path-')), 'counts');
    const server = await start(folder, { COUNTS: file, NODE_OPTIONS: `--import=${counter}` });
    try {
      for (const kind of KINDS) {
        await turn(server, { ...kind, count: WARM_UP });
        const before = await countsOf(server, file);
        await turn(server, { ...kind, count: COUNTED });
        const after = await countsOf(server, file);
        const each = Object.fromEntries(
          Object.entries(after).map(([name, n]) => [name, (n - before[name as keyof RequestCounts]) / COUNTED]),
        );
        const calls = await systemCalls(server, kind);
        console.log(`${kind.name.padEnd(34)} ${folder}: ${inOneLine({ ...each, ...calls })}`);
      }
    } finally {
      await stop(server);
    }
  }
}

/** Passes connections on to PostgreSQL, and counts what clients send: a Sync, or a simple query, is a round trip. */
async function countingProxy(port: number) {
  const counts = { statements: 0, 'round trips': 0 };
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1');
    let [isStarted, rest] = [false, Buffer.alloc(0)];
    incoming.on('data', (bytes: Buffer) => {
      outgoing.write(bytes);
      rest = Buffer.concat([rest, bytes]);
      // The first message has no type (https://www.postgresql.org/docs/current/protocol-message-formats.html).
      for (let head = isStarted ? 1 : 0; rest.length >= head + 4; head = 1) {
        const length = head + rest.readUInt32BE(head);
        if (rest.length < length) break;
        const type = head === 0 ? '' : String.fromCharCode(rest[0] ?? 0);
        if (type === 'E' || type === 'Q') counts.statements += 1;
        if (type === 'S' || type === 'Q') counts['round trips'] += 1;
        rest = rest.subarray(length);
        isStarted = true;
      }
    });
    outgoing.pipe(incoming);
    for (const socket of [incoming, outgoing]) {
      socket.on('error', () => {});
      socket.on('close', () => [incoming, outgoing].map((one) => one.destroy()));
    }
  });
  return { counts, ...(await listen(server)) };
}

async function measurePostgres(folders: readonly string[]): Promise<void> {
  await using postgres = await startPostgres();
  for (const [index, folder] of folders.entries()) {
    const proxy = await countingProxy(postgres.port);
    await runOn(postgres.urlOf('postgres'), `CREATE DATABASE counted_${index}`);
    const location = postgres.urlOf(`counted_${index}`).replace(`:${postgres.port}/`, `:${proxy.port}/`);
    const server = await start(folder, { DATABASE_URL: location });
    try {
      for (const kind of KINDS) {
        await turn(server, { ...kind, count: COUNTED });
        const before = { ...proxy.counts };
        await turn(server, { ...kind, count: COUNTED });
        const each = {
          statements: (proxy.counts.statements - before.statements) / COUNTED,
          'round trips': (proxy.counts['round trips'] - before['round trips']) / COUNTED,
        };
        console.log(`on PostgreSQL, ${kind.name.padEnd(34)} ${folder}: ${inOneLine(each)}`);
      }
    } finally {
      await stop(server);
    }
  }
}

const folders = [...process.argv.slice(2).map((folder) => resolve(folder)), ROOT];
const only = process.env.ONLY ?? '';
const servers: Running[] = [];
try {
  if (['', 'times'].includes(only)) {
    for (const folder of folders) servers.push(await start(folder));
    await measureTimes(servers);
    for (const server of servers.splice(0)) await stop(server);
  }
  if (['', 'counts'].includes(only)) await measureCounts(folders);
  if (['', 'postgres'].includes(only)) await measurePostgres(folders);
} finally {
  for (const server of servers) await stop(server);
  agent.destroy();
}
