// Tests `platen migrate-to` with repeated kills: all rows and files arrive unchanged, and clients' keys, URLs and jobs
// keep working.
//
// `RENDERS=100000 KILLS=10` makes a longer run.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Database } from '#server/storage/database.ts';
import { MOVED_TABLES, UNMOVED_TABLES } from '#server/storage/move/tables.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { platen } from '../cli/run-platen.ts';
import { commandLine } from '../command.ts';
import { newDatabaseAlone } from '../server/storage/new-database.ts';
import { ACCESS_KEY, BUCKET, s3Server } from '../server/storage/s3/s3-server.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { fillDataFolder } from './data-folder-to-move.ts';

const RENDERS = Number(process.env.RENDERS ?? 1_000);
const KILLS = Number(process.env.KILLS ?? 3);
const LASTS = 120_000 + RENDERS * 20;

test(`${RENDERS} renders are moved by a command that is killed ${KILLS} times`, { timeout: LASTS }, async () => {
  await using old = await temporaryFolder();
  await using empty = await temporaryFolder();
  await using s3 = await s3Server(1_000);
  await using made = await newDatabaseAlone('empty');
  const before = await fillDataFolder(old.path, RENDERS);
  const bucket = `s3://${BUCKET}/platen?endpoint=${s3.endpoint}`;
  const from = await openDatabase(join(old.path, 'platen.sqlite'));
  const to = await openDatabase(made.location);

  // The kills are spread evenly over the progress of the move.
  const progress = async () => (await count(to, 'renders')) + s3.objects.size;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const goal = (kill / (KILLS + 1)) * 2 * RENDERS;
    const child = startMove(old.path, [made.location, bucket]);
    while (child.exitCode === null && (await progress()) < goal) await sleep(25);
    expect(child.exitCode, 'it is still at work').toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const config = { DATABASE_URL: made.location, ASSETS_URL: bucket, ...ACCESS_KEY };
  await expect(startProcess(empty.path, config)).rejects.toThrow('Only a part of the data was moved');

  const { status, stdout, stderr } = await platen(
    old.path,
    ['migrate-to', made.location, bucket, '--json'],
    ACCESS_KEY,
  );
  expect([status, stderr.split('\n').filter((line) => line.startsWith('platen:'))]).toEqual([0, []]);
  const told = JSON.parse(stdout);
  expect(told.tables.every(({ isEqual }: { isEqual: boolean }) => isEqual)).toBe(true);
  expect(told.jobs).toBe(before.jobs.length);

  // Counted and hashed independently of the command's own check.
  for (const { name } of MOVED_TABLES) expect(await digestOf(to, name), name).toEqual(await digestOf(from, name));
  const files = await fileRows(from);
  expect(files.length).toBeGreaterThan(RENDERS);
  for (const { key, digest } of files) {
    expect(sha256(s3.objects.get(`platen/${key}`)?.bytes ?? Buffer.alloc(0)), key).toBe(digest);
  }
  expect([...s3.objects.keys()].filter((key) => !key.endsWith('/.probe'))).toHaveLength(files.length);
  await Promise.all([from.destroy(), to.destroy()]);

  // Clients' keys, URLs and jobs keep working.
  await using server = await startProcess(empty.path, config);
  const headers = { authorization: `Bearer ${before.key}`, 'content-type': 'application/json' };
  const ask = async (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, { headers, ...init });
  const usage = async () => ((await (await ask('/v1/usage')).json()) as { used: number }).used;
  for (const id of before.jobs) {
    const job = async () => ((await (await ask(`/v1/renders/${id}`)).json()) as { status: string }).status;
    await vi.waitFor(async () => expect(await job()).toBe('done'), { timeout: 60_000, interval: 100 });
  }
  const used = before.used + before.jobs.length;
  expect(await usage()).toBe(used);
  for (const { path, bytes } of [before.signed, before.asset]) {
    const response = await fetch(`${server.url}${path}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  }
  const { key, body, id } = before.idempotent;
  const again = { method: 'POST', body: JSON.stringify(body), headers: { ...headers, 'idempotency-key': key } };
  expect(await (await ask('/v1/renders', again)).json()).toMatchObject({ id });
  expect(await usage()).toBe(used);
  expect((await ask('/v1/renders', { method: 'POST', body: JSON.stringify(body) })).status).toBe(200);
  expect(await usage()).toBe(used + 1);
  expect((await ask('/v1/images', { headers })).status).toBe(200);
});

test('what is in the way of a move is said, and how to mend it', async () => {
  await using old = await temporaryFolder();
  await using made = await newDatabaseAlone('empty');
  await using other = await newDatabaseAlone('empty');
  const run = async (data: string, args: readonly string[], env = {}) => {
    const { status, stderr } = await platen(data, ['migrate-to', ...args], env);
    return [status, stderr.trim().split('\n').at(-1)];
  };
  await using server = await startProcess(old.path);
  const live = await run(old.path, [made.location]);
  expect(live).toEqual([1, expect.stringMatching(/^platen: Another Platen server is running on .* Stop it first/)]);
  server.child.kill('SIGTERM');
  await once(server.child, 'exit');

  expect(await run(`${old.path}/none`, [made.location])).toEqual([1, expect.stringContaining('There is no ')]);
  expect(await run(old.path, ['mysql://host/name'])).toEqual([
    1,
    expect.stringContaining('must be an address such as'),
  ]);
  expect(await run(old.path, [made.location, 's3://bucket'])).toEqual([1, expect.stringContaining('needs AWS_ACCESS')]);
  const already = await run(old.path, [other.location], { DATABASE_URL: made.location });
  expect(already).toEqual([1, expect.stringContaining('there is no SQLite database to move')]);

  // A move without a bucket leaves the files in place. A target that has accounts is refused.
  expect((await run(old.path, [made.location]))[0]).toBe(0);
  expect(await run(old.path, [made.location])).toEqual([1, expect.stringContaining('holds accounts already')]);
  await (await startProcess(old.path, { DATABASE_URL: made.location }))[Symbol.asyncDispose]();
});

test('a table that the schema has is moved, or named as one that is not', async () => {
  await using made = await newDatabaseAlone('migrated');
  const db = await openDatabase(made.location);
  const tables: string[] = await db('pg_tables').where({ schemaname: 'public' }).pluck('tablename');
  await db.destroy();
  const known = [...MOVED_TABLES.map(({ name }) => name), ...UNMOVED_TABLES];
  expect(tables.filter((name) => !known.includes(name))).toEqual([]);
});

function startMove(data: string, args: readonly string[]): ChildProcess {
  const [program, ...all] = commandLine('migrate-to', ...args);
  return spawn(program, all, {
    env: { PATH: process.env.PATH, PLATEN_DATA: data, ...ACCESS_KEY },
    stdio: 'ignore',
  });
}

/** The number of rows; 0 if the table does not exist yet. */
async function count(db: Database, table: string): Promise<number> {
  const [row] = await db(table)
    .select(db.raw('count(*) AS count'))
    .catch(() => [{ count: 0 }]);
  return Number(row?.count);
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('base64');

/** The number of rows, and a digest that ignores their order and the progress of unfinished jobs. */
async function digestOf(db: Database, table: string): Promise<readonly [number, string]> {
  const all: Record<string, unknown>[] = await db(table).select('*');
  // `start_tag` exists only in PostgreSQL's queue and is not moved.
  const rows = all.map(({ start_tag, ...row }) => row);
  const lines = rows.map((row) => {
    const isOpen = table === 'renders' && (row.status === 'queued' || row.status === 'processing');
    const shown = isOpen ? { ...row, status: 'open', attempt: 0, worker: null, claimable_at: 0 } : row;
    return JSON.stringify(Object.entries(shown).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
  return [rows.length, sha256(lines.sort().join('\n'))];
}

async function fileRows(db: Database): Promise<{ key: string; digest: string }[]> {
  const rows = async (table: string, folder: string, extension: string | null) => {
    const found: { id: string; digest: string; extension?: string }[] = await db(table)
      .whereNotNull('size')
      .select('id', 'digest', ...(extension ? [`${extension} as extension`] : []));
    return found.map(({ id, digest, extension: end }) => ({ key: `${folder}/${id}${end ? `.${end}` : ''}`, digest }));
  };
  const found = [
    rows('renders', 'assets', 'output'),
    rows('images', 'images', null),
    rows('fonts', 'uploaded-fonts', null),
    rows('variants', 'variants', 'extension'),
  ];
  return (await Promise.all(found)).flat();
}
