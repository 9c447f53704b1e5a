// Measures how throughput scales with servers: renders per second of one, two and three servers on one PostgreSQL, with
// a CPU core each, and what a render costs the database. Run `taskset -c 3 node bench/nodes.ts`: PostgreSQL and the
// client share the script's core, the servers take cores 0, 1 and 2. Needs Linux with four cores.

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServices } from '#server/services.ts';
import { queryRows } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { loadConfig } from '../src/server/config/config.ts';
import { ROOT } from '../test/command.ts';
import { runOn } from '../test/server/storage/postgres/run-on.ts';
import { startPostgres } from '../test/server/storage/postgres/start-postgres.ts';
import { startProcess } from '../test/server-process.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const MEASURE = Number(process.env.MEASURE ?? 8_000);
const WARM_UP = Number(process.env.WARM_UP ?? 3_000);
/** Requests in flight per server. */
const AT_ONCE = 6;
const ACCOUNTS = 12;

const CARD = JSON.parse(readFileSync(join(ROOT, 'samples/quote-card.json'), 'utf8'));
/** Almost nothing to draw, so that the server and the database remain. */
const SHAPES = {
  name: 'S',
  width: 8,
  height: 8,
  layers: [{ name: 'box', type: 'shape', width: 8, height: 8, fill: '#369' }],
};

interface Key {
  readonly key: string;
  readonly card: string;
  readonly shapes: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });
let number = 0;

async function render(url: string, key: string, template: string, modifications: object): Promise<void> {
  const body = JSON.stringify({ template, modifications });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const asked = request(`${url}/v1/renders`, { method: 'POST', agent, headers });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const said = await buffer(answer);
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${said}`);
}

const statOf = (pid: string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');

/** CPU time of this script's PostgreSQL, ms. */
function databaseTime(): number {
  let ticks = 0;
  const ours = new Set([String(process.pid)]);
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(a) - Number(b))) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') continue;
      const fields = statOf(pid);
      if (!ours.has(fields[1] ?? '')) continue;
      ours.add(pid);
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks * 10;
}

/** CPU time of all threads of the processes, ms. */
const timeOf = (pids: readonly number[]) =>
  pids.reduce((ticks, pid) => ticks + Number(statOf(String(pid))[11]) + Number(statOf(String(pid))[12]), 0) * 10;

await using postgres = await startPostgres({ fsync: true });
await runOn(postgres.urlOf('postgres'), 'CREATE DATABASE platen');
const url = postgres.urlOf('platen');
const db = await openDatabase(url);

interface Counted {
  readonly rows: number;
  readonly commits: number;
  readonly wal: number;
  readonly connections: number;
}
async function counted(): Promise<Counted> {
  const [row] = await queryRows<Counted>(
    db,
    `SELECT tup_inserted + tup_updated + tup_deleted AS rows, xact_commit AS commits,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal,
            (SELECT count(*) FROM pg_stat_activity WHERE datname = 'platen') AS connections
     FROM pg_stat_database WHERE datname = 'platen'`,
  );
  return row as Counted;
}

const plans = JSON.stringify({ free: { quota: 100, blocks: true }, large: { quota: 100_000_000, blocks: true } });

/** @param accounts number of accounts among which the requests rotate */
async function measure(count: number, what: 'card' | 'shapes', accounts: number): Promise<number> {
  await using parts = new AsyncDisposableStack();
  const { path } = parts.use(await temporaryFolder());
  const env = { DATABASE_URL: url, PLATEN_SHARED_FILES: 'true', PLATEN_PLANS: plans };
  const onCore = (core: number) => ['taskset', '-c', String(core), process.execPath, join(ROOT, 'src/main.ts')];
  const started = await Promise.all(Array.from({ length: count }, (_, core) => startProcess(path, env, onCore(core))));
  for (const server of started) parts.use(server);
  const services = parts.use(await openServices(loadConfig({ PLATEN_DATA: path, ...env })));
  const keys: Key[] = [];
  for (let index = 0; index < accounts; index += 1) {
    const { accounts, keys: keyring, templates } = services;
    const { id } = await accounts.create({ email: null, displayName: null, plan: 'large' });
    const [{ key }, card, shapes] = [
      await keyring.create(id, 'live'),
      await templates.create(id, CARD),
      await templates.create(id, SHAPES),
    ];
    keys.push({ key, card: card.id, shapes: shapes.id });
  }
  let [done, isOver] = [0, false];
  const client = async (server: string) => {
    while (!isOver) {
      const of = keys[number % keys.length] as Key;
      number += 1;
      await render(server, of.key, of[what], what === 'card' ? { quote: `Number ${number}` } : {});
      done += 1;
    }
  };
  const clients = started.flatMap((server) => Array.from({ length: AT_ONCE }, () => client(server.url)));
  await sleep(WARM_UP);
  const pids = started.map(({ pid }) => pid);
  const [before, time, worked, from, start] = [await counted(), databaseTime(), timeOf(pids), done, performance.now()];
  await sleep(MEASURE);
  const seconds = (performance.now() - start) / 1_000;
  const made = done - from;
  const [after, spent, work] = [await counted(), databaseTime() - time, timeOf(pids) - worked];
  isOver = true;
  await Promise.all(clients);
  const each = (name: 'rows' | 'commits' | 'wal') => (after[name] - before[name]) / made;
  console.log(
    [
      `${what}, ${accounts} account${accounts > 1 ? 's' : ''}, ${count} server${count > 1 ? 's' : ''}:`,
      `${(made / seconds).toFixed(1)} renders/s;`,
      `a render: ${(work / made).toFixed(2)} ms of a server's processor, ${(spent / made).toFixed(2)} ms of the database's,`,
      `${each('rows').toFixed(1)} rows written,`,
      `${each('commits').toFixed(1)} commits, ${(each('wal') / 1024).toFixed(2)} KiB of WAL;`,
      `${after.connections} connections`,
    ].join(' '),
  );
  return made / seconds;
}

const runs = [
  [1, 'card', ACCOUNTS],
  [2, 'card', ACCOUNTS],
  [3, 'card', ACCOUNTS],
  [1, 'shapes', ACCOUNTS],
  [3, 'shapes', ACCOUNTS],
  [3, 'shapes', 1],
] as const;
for (const [count, what, accounts] of runs) await measure(count, what, accounts);

const [size] = await queryRows<{ renders: number; bytes: number; units: number }>(
  db,
  `SELECT (SELECT count(*) FROM renders) AS renders, pg_total_relation_size('renders') AS bytes,
          pg_total_relation_size('usage_units') AS units`,
);
if (size) {
  const perRender = (bytes: number) => Math.round(bytes / size.renders);
  console.log(`stored of a render: ${perRender(size.bytes)} bytes in renders, ${perRender(size.units)} in usage_units`);
}
agent.destroy();
await db.destroy();
