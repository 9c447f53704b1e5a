// Compares what a request costs the server in several checkouts, side by side in one run: CPU time of all threads of
// its process, in turns, so that other load on the machine affects all alike.
//
// `node bench/versions.ts FOLDER FOLDER…`: the others are compared with the first. Linux only.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 9);
const AT_ONCE = 4;
const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString());

const SHAPES = {
  name: 'Shapes',
  width: 40,
  height: 20,
  layers: [{ name: 'box', type: 'shape', width: 40, height: 20, fill: '#336699' }],
};

interface Running {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly data: string;
  readonly url: string;
  readonly key: string;
  readonly picture: string;
  template: string;
  /** Accepted jobs that are not known to be done. */
  readonly jobs: string[];
}

async function start(folder: string): Promise<Running> {
  const data = mkdtempSync(join(tmpdir(), 'versions-'));
  const plans = JSON.stringify({
    free: { quota: 10_000_000, blocks: false },
    pro: { quota: 10_000_000, blocks: false },
  });
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PLATEN_DATA: data, PORT: '0', LOG_LEVEL: 'info', PLATEN_PLANS: plans },
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
  // The quote card, so that it is the same everywhere: the order of printed samples depends on when they were stored.
  const [, picture = ''] = /Quote card\n\s+(http\S+\/render\.png\?\S+)/i.exec(printed) ?? [];
  if (picture === '') throw new Error(`${folder} prints no picture of the quote card: ${printed}`);
  return { folder, child, data, url, key, picture, template: '', jobs: [] };
}

/** CPU time of all threads since the start, ms. */
function processorTime({ child }: Running): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

async function ask({ key }: Running, method: string, url: string, body?: object): Promise<Buffer> {
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const asked = request(url, { method, agent, headers });
  asked.end(body ? JSON.stringify(body) : undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  if ((answer.statusCode ?? 500) >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${bytes}`);
  return bytes;
}

interface Kind {
  readonly name: string;
  readonly count: number;
  readonly ask: (server: Running) => Promise<unknown>;
}

const KINDS: readonly Kind[] = [
  { name: 'GET /v1/account', count: 1_500, ask: (server) => ask(server, 'GET', `${server.url}/v1/account`) },
  { name: 'a signed URL drawn before', count: 800, ask: (server) => ask(server, 'GET', server.picture) },
  {
    name: 'POST /v1/renders, 40 × 20 px',
    count: 120,
    ask: (server) => ask(server, 'POST', `${server.url}/v1/renders`, { template: server.template }),
  },
  {
    name: 'the same as a job, to its end',
    count: 60,
    async ask(server) {
      const body = { template: server.template, async: true };
      server.jobs.push(JSON.parse((await ask(server, 'POST', `${server.url}/v1/renders`, body)).toString()).id);
    },
  },
];

/** CPU time of one request, ms. */
async function turn(server: Running, { count, ask: askOnce }: Kind): Promise<number> {
  const before = processorTime(server);
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await askOnce(server);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  for (const id of server.jobs.splice(0)) {
    // Polls rarely, because polling is counted too.
    while (!(await ask(server, 'GET', `${server.url}/v1/renders/${id}`)).includes('"done"')) await sleep(300);
  }
  return (processorTime(server) - before) / count;
}

const folders = process.argv.slice(2).map((folder) => resolve(folder));
const servers: Running[] = [];
try {
  for (const folder of folders) servers.push(await start(folder));
  for (const server of servers) {
    server.template = JSON.parse((await ask(server, 'POST', `${server.url}/v1/templates`, SHAPES)).toString()).id;
  }
  for (const kind of KINDS.filter(({ name }) => name.includes(process.env.KIND ?? ''))) {
    for (const server of servers) await turn(server, kind);
    const taken = servers.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      // The first and the last of a round meet different conditions on the machine, so the order alternates.
      const order = round % 2 === 0 ? [...servers.keys()] : [...servers.keys()].reverse();
      for (const index of order) taken[index]?.push(await turn(servers[index] as Running, kind));
    }
    const first = taken[0] ?? [];
    const shown = taken.map((times) => {
      const ratio = median(times.map((time, round) => time / (first[round] ?? time)));
      return `${median(times).toFixed(3)} ms (${ratio.toFixed(3)})`;
    });
    console.log(`${kind.name.padEnd(32)} ${shown.join('   ')}`);
  }
} finally {
  for (const { child, data } of servers) {
    child.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
  agent.destroy();
}
