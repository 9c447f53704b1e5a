// Kills the real server (SIGKILL) at random moments while it erases a deleted account of several hundred rows and files, until
// it is erased: then nothing of it is left, and another account has all of its own. `KILLS=200` for a longer run.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { byCommandLine } from '#server/service/people/permit.ts';
import { openServices } from '#server/services.ts';
import { type Database, queryRows } from '#server/storage/database.ts';
import { MOVED_TABLES } from '#server/storage/move/tables.ts';
import { openBlobs } from '#server/storage/open-blobs.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { newId } from '../../src/base/ids.ts';
import { type Config, loadConfig } from '../../src/server/config/config.ts';
import { commandLine, ENVIRONMENT } from '../command.ts';
import { rowsNaming } from '../server/service/accounts/rows-naming.ts';
import { ACCESS_KEY, BUCKET, s3Server } from '../server/storage/s3/s3-server.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Kills that come before the account is erased, for each kind of store. */
const KILLS = Number(process.env.KILLS ?? 2);
/** After so many kills an account is left to be erased, and another one is begun with. */
const PER_ACCOUNT = 6;
/** A kill comes up to so many ms after the moment that was drawn: not only between two steps. */
const JITTER = 5;
const FOLDERS = ['assets', 'images', 'uploaded-fonts', 'variants'] as const;
const OWNED = MOVED_TABLES.filter(({ owned }) => owned !== null);

/** The files of accounts. */
interface Files {
  /** Their paths; each ends in the id of what it is, and its extension. */
  readonly paths: () => readonly string[];
  readonly read: (path: string) => Uint8Array;
}

test('in a folder', { timeout: 60_000 + KILLS * 20_000 }, async () => {
  await using folder = await temporaryFolder();
  await eraseUnderKills(
    folder.path,
    {},
    {
      paths: () =>
        FOLDERS.flatMap((kind) => readdirSync(join(folder.path, kind)).map((name) => join(folder.path, kind, name))),
      read: (path) => readFileSync(path),
    },
  );
});

test('in an S3 store', { timeout: 60_000 + KILLS * 20_000 }, async () => {
  await using folder = await temporaryFolder();
  await using s3 = await s3Server(1_000);
  const env = { ASSETS_URL: `s3://${BUCKET}?endpoint=${s3.endpoint}`, ...ACCESS_KEY };
  await eraseUnderKills(folder.path, env, {
    paths: () => [...s3.objects.keys()].filter((key) => /\/(rnd|img)_/.test(key)),
    read: (path) => s3.objects.get(path)?.bytes ?? new Uint8Array(),
  });
});

async function eraseUnderKills(folder: string, env: Readonly<Record<string, string>>, files: Files): Promise<void> {
  const config = loadConfig({ PLATEN_DATA: folder, ...env });
  const [other] = await fill(config, { renders: 30, images: 3, templates: 5 });
  const db = await openDatabase(config.database);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  // A server makes a link at its start, by which the owner signs up.
  const kept = async () =>
    [(await owned(db, other)).filter((row) => !row.includes('"setup"')), digests(files)] as const;
  const before = await kept();
  expect(before.map((all) => all.length)).toEqual([94, 63]);

  let [kills, accounts, partly] = [0, 0, 0];
  while (partly < KILLS) {
    const [account, ids] = await fill(config, { renders: 200, images: 10, templates: 25 }, true);
    accounts += 1;
    const leftOf = () => left(db, account, ids, files);
    for (let rest = await leftOf(); rest > 0 && partly < KILLS && kills < accounts * PER_ACCOUNT; ) {
      rest = await killed(folder, env, Math.random() * rest, leftOf);
      kills += 1;
      if (rest > 0) partly += 1;
    }
    await using _server = await startProcess(folder, env);
    await expect.poll(() => db('accounts').where({ id: account }).pluck('id'), { timeout: 60_000 }).toEqual([]);
    expect(await rowsNaming(db, [account, ...ids])).toEqual([]);
    expect(await kept()).toEqual(before);
  }
  console.info(`${kills} kills while ${accounts} accounts were erased, ${partly} of them with a part gone`);
  expect(await queryRows(db, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
}

/**
 * Starts a server and kills it once no more than `target` rows and files of an account are left.
 *
 * @returns how many are left then
 */
async function killed(
  folder: string,
  env: Readonly<Record<string, string>>,
  target: number,
  left: () => Promise<number>,
): Promise<number> {
  const [program, ...args] = commandLine('serve');
  const child = spawn(program, args, {
    env: { ...ENVIRONMENT, PLATEN_DATA: folder, PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  using _ended = { [Symbol.dispose]: () => void child.kill('SIGKILL') };
  let problems = '';
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  while ((await left()) > target && child.exitCode === null) await sleep(3);
  await sleep(Math.random() * JITTER);
  child.kill('SIGKILL');
  expect(await ended, problems).toEqual([null, 'SIGKILL']);
  return left();
}

/** Each file with a digest of its bytes. */
const digests = ({ paths, read }: Files): string[] =>
  paths()
    .map((path) => `${path} ${createHash('sha256').update(read(path)).digest('hex')}`)
    .toSorted();

/** How many rows, and files by these ids, are left of an account. */
async function left(db: Database, account: string, ids: readonly string[], files: Files): Promise<number> {
  const own = new Set(ids);
  return (await owned(db, account)).length + files.paths().filter((path) => own.has(parse(path).name)).length;
}

/** The rows of an account in all tables, as JSON. */
async function owned(db: Database, account: string): Promise<string[]> {
  const rows = OWNED.map(async ({ name, owned }) => db(name).whereRaw(owned ?? '', { account }));
  return (await Promise.all(rows)).flat().map((row) => JSON.stringify(row));
}

/** Makes an account with some of what accounts have. Returns its id, and those of what it has. */
async function fill(
  config: Config,
  { renders, images, templates }: Readonly<Record<'renders' | 'images' | 'templates', number>>,
  isDeleted = false,
): Promise<readonly [string, string[]]> {
  await using services = await openServices(config);
  await using assets = await openBlobs(config, 'assets');
  await using variants = await openBlobs(config, 'variants');
  const { storage } = services;
  const now = new Date();
  const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  const picture = (red: number) =>
    sharp({ create: { width: 4, height: 4, channels: 3, background: { r: red, g: 0, b: 0 } } });
  const PNG = await picture(0).png().toBuffer();
  const ids: string[] = [];
  for (let n = 0; n < templates; n += 1) {
    const template = { name: `Card ${n}`, width: 10, height: 10, layers: [] };
    const made = await services.templates.create(id, template);
    await services.templates.replace(id, made.id, { ...template, width: 20 });
    ids.push(made.id);
  }
  for (let n = 0; n < images; n += 1) {
    ids.push((await services.images.upload(id, await picture(n).png().toBuffer())).id);
  }
  ids.push((await services.keys.create(id, 'live')).id);
  for (let n = 0; n < renders; n += 1) {
    const [render, variant] = [newId('rnd'), newId('rnd')];
    await Promise.all([assets.put(`${render}.png`, PNG), variants.put(`${variant}.png`, PNG)]);
    const row = { id: render, accountId: id, kind: 'render', output: 'png', createdAt: now, finishedAt: now } as const;
    await storage.renders.insert({ ...row, status: 'done', size: PNG.length, digest: null, warnings: [] }, null);
    const drawn = { extension: 'png', size: PNG.length, digest: null, diagnostics: [], usedAt: now } as const;
    await storage.variants.save({ ...drawn, key: variant, id: variant, templateId: ids[n % templates] ?? '' });
    ids.push(render, variant);
  }
  if (isDeleted) await services.accounts.delete(id, byCommandLine);
  return [id, ids];
}
