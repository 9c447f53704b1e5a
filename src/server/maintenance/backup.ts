// Backs up a server on SQLite: a copy of the database, the files of its rows, and a manifest of both.
//
// The database can be copied while a server runs (VACUUM INTO: one read transaction). The files are copied after it, so
// that each row of the copy has its file. A repeated backup in the same folder copies only new files; the previous
// backup stays valid until the new manifest replaces its manifest.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import type { Config } from '#server/config/config.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { queryRows } from '#server/storage/database.ts';
import { makeFolder } from '#server/storage/make-folder.ts';
import { migrate, refuseNewer } from '#server/storage/migrate.ts';
import { openBlobs } from '#server/storage/open-blobs.ts';
import { isPostgresUrl, openDatabase } from '#server/storage/open-database.ts';
import { lockForServer } from '#server/storage/server-lock.ts';
import { copyRows } from '#server/storage/sqlite/copy-rows.ts';
import { tryLock } from '#server/storage/sqlite/server-lock.ts';
import { openStorage, type Storage } from '#server/storage/storage.ts';
import { FILE_KINDS, type FileKind, FOLDER_OF } from '#server/storage/stored-files.ts';
import { moveFiles } from './move-files.ts';

const MANIFEST = 'manifest.json';
/** Held by the process that writes into the folder of a backup. */
const LOCK = 'backup.lock';
/** How long a backup waits for another one into the same folder, ms. */
const LOCK_TIMEOUT = 10 * 60_000;
/** Pause between attempts to take the lock, ms. */
const LOCK_PAUSE = 250;
/**
 * What SQLite keeps beside a database. A killed server leaves its write-ahead log behind, whose transactions SQLite
 * would apply to any database that is put beside it.
 */
const COMPANIONS = ['-wal', '-shm', '-journal'];
const FILE_LIST = /^files-[\w-]+\.jsonl$/;
const DATABASE = /^platen-[\w-]+\.sqlite$/;

/** Describes a backup. The list of files is a separate file, with one line of JSON each. */
const Manifest = z.strictObject({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  database: z.strictObject({ name: z.string().regex(DATABASE), size: z.int(), sha256: z.string() }),
  files: z.strictObject({ name: z.string().regex(FILE_LIST), sha256: z.string(), count: z.int(), bytes: z.int() }),
});
export type Manifest = z.infer<typeof Manifest>;

const FileLine = z.strictObject({
  kind: z.enum(FILE_KINDS),
  name: z.string().regex(/^[\w.]+$/),
  size: z.int(),
  /** In base64; null where none was recorded when it was stored. */
  sha256: z.string().nullable(),
  /** Format of an image, which its name does not contain. */
  format: z.string().nullable(),
});
type FileLine = z.infer<typeof FileLine>;

export interface Backup {
  readonly manifest: Manifest;
  /** Number of files that were not in the backup yet. */
  readonly copied: number;
  /** One sentence for each file that is damaged or missing in the data folder, and so is not in the backup. */
  readonly damaged: readonly string[];
}

/**
 * Makes a backup in a folder, with or without a running server. Waits for another backup into the same folder.
 *
 * @throws AppError `conflict` on PostgreSQL, or when the other backup takes more than ten minutes
 */
export async function backUp(config: Config, folder: string): Promise<Backup> {
  refusePostgres(config, 'Back it up by pg_dump, and the bucket or folder of its files by its own means.');
  if (!existsSync(config.database)) {
    throw new AppError('conflict', `There is no ${config.database}. Set PLATEN_DATA to the folder to back up.`);
  }
  await makeFolder(folder);
  await using _lock = await lockFolder(folder);
  const now = new Date();
  const name = now.toISOString().replace(/\W/g, '-');
  const database = join(folder, `platen-${name}.sqlite`);
  await copyDatabase(config.database, database);

  const { files, copied, damaged } = await copyFiles(config, database, folder, `files-${name}.jsonl`);
  const copy = await digestOf(database);
  const manifest: Manifest = {
    format: 1,
    madeAt: now.toISOString(),
    database: { name: `platen-${name}.sqlite`, size: copy.size, sha256: copy.digest.toString('hex') },
    files,
  };
  await writeWhole(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  await removeOld(folder, manifest);
  return { manifest, copied, damaged };
}

/** Reads a whole backup and compares it with its manifest. @throws AppError `conflict` naming what is wrong */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { database, files } = manifest;
  for (const { name, sha256 } of [database, files]) {
    const found = await digestOf(join(folder, name)).catch(() => null);
    if (found?.digest.toString('hex') !== sha256) throw wrong(folder, `${name} is missing or was changed`);
  }
  for await (const line of filesOf(folder, manifest)) {
    const found = await digestOf(pathOf(folder, line)).catch(() => null);
    const digest = found?.digest.toString('base64');
    const isRight = found?.size === line.size && (line.sha256 === null || digest === line.sha256);
    if (!isRight) throw wrong(folder, `${line.kind}/${line.name} is missing or was changed`);
  }
  return manifest;
}

/**
 * Checks a backup and copies it to where a server keeps its data, which must be empty: its files, and the rows of its
 * database into one of this version. The database is put in its place last, so an interrupted restore can be repeated.
 *
 * @throws AppError `conflict` naming what is in the way
 */
export async function restore(config: Config, folder: string): Promise<Manifest> {
  refusePostgres(config, 'Unset DATABASE_URL, restore, and move the data there by "platen migrate-to".');
  const manifest = await checkBackup(folder);
  await using _lock = await lockForServer(config.database);
  if (existsSync(config.database)) {
    throw new AppError(
      'conflict',
      `${config.database} is there already. Move it away, or set PLATEN_DATA to an empty folder.`,
    );
  }
  refuseCompanions(config.database);
  for (const kind of FILE_KINDS) {
    await using blobs = await openBlobs(config, FOLDER_OF[kind]);
    for await (const line of filesOf(folder, manifest)) {
      if (line.kind === kind)
        await blobs.put(line.name, await readFile(pathOf(folder, line)), line.format ?? undefined);
    }
  }
  const temporary = `${config.database}.restored`;
  await makeFolder(dirname(config.database));
  await restoreRows(join(folder, manifest.database.name), temporary);
  await flush(temporary);
  await rename(temporary, config.database);
  await flush(dirname(config.database));
  return manifest;
}

/**
 * Creates the database of this version with the rows of a backup, which may be of an older one.
 *
 * @throws AppError `conflict` when the backup is of a newer one
 */
async function restoreRows(from: string, to: string): Promise<void> {
  for (const suffix of ['', ...COMPANIONS]) await rm(to + suffix, { force: true });
  // SQLite writes beside a database that it reads, and the backup is only to be read.
  await copyFile(from, `${to}.source`);
  const source = await openDatabase(`${to}.source`);
  await refuseNewer(source).finally(() => source.destroy());
  const target = await openDatabase(to);
  try {
    await migrate(target);
    await copyRows(`${to}.source`, target);
  } finally {
    // SQLite moves the write-ahead log into the database when the last connection closes.
    await target.destroy();
    for (const suffix of ['', ...COMPANIONS]) await rm(`${to}.source${suffix}`, { force: true });
  }
}

/** @throws AppError `conflict` when there are files of a database that was moved away without them */
function refuseCompanions(database: string): void {
  const found = COMPANIONS.map((suffix) => database + suffix).filter(existsSync);
  if (found.length === 0) return;
  const [are, them] = found.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new AppError(
    'conflict',
    `${found.join(' and ')} ${are} there already, of a database that was there before, and would change the restored one. ` +
      `Move ${them} to where that database is now (its newest changes are in the -wal file), or delete ${them} if it is no longer needed.`,
  );
}

/** Waits until no other process writes into the folder. @throws AppError `conflict` after `LOCK_TIMEOUT` */
async function lockFolder(folder: string): Promise<AsyncDisposable> {
  for (const until = performance.now() + LOCK_TIMEOUT; ; await sleep(LOCK_PAUSE)) {
    const lock = await tryLock(join(folder, LOCK));
    if (lock) return lock;
    if (performance.now() > until) {
      throw new AppError('conflict', `Another backup into ${folder} is still running. Wait until it has ended.`);
    }
  }
}

/** Writes a file or folder from the system's memory to the disk. */
async function flush(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}

function refusePostgres({ database }: Config, remedy: string): void {
  if (isPostgresUrl(database)) throw new AppError('conflict', `The rows are in PostgreSQL (DATABASE_URL). ${remedy}`);
}

/**
 * @throws AppError `conflict` when the copy fails SQLite's integrity check
 */
async function copyDatabase(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  const db = await openDatabase(from);
  try {
    await db.raw('VACUUM INTO ?', [to]);
  } finally {
    await db.destroy();
  }
  const copy = await openDatabase(to);
  try {
    const [result] = await queryRows<{ integrity_check: string }>(copy, 'PRAGMA integrity_check');
    if (result?.integrity_check === 'ok') return;
    throw new AppError('conflict', `${from} is damaged: ${result?.integrity_check}. Restore an older backup.`);
  } finally {
    await copy.destroy();
  }
}

/** Copies the files of the rows in the copied database, and lists those in the backup. */
async function copyFiles(config: Config, database: string, folder: string, list: string) {
  await using storage = await openStorage(database);
  const damaged: string[] = [];
  let copied = 0;
  for (const kind of FILE_KINDS) {
    await using from = await openBlobs(config, FOLDER_OF[kind]);
    await using to = await openFileBlobs(join(folder, 'files', FOLDER_OF[kind]));
    const moved = await moveFiles(storage, kind, from, to);
    copied += moved.copied;
    damaged.push(...moved.damaged);
  }
  return { files: await writeList(storage, folder, list), copied, damaged };
}

/** Lists the files of all rows that are in the backup. */
async function writeList(storage: Storage, folder: string, name: string): Promise<Manifest['files']> {
  const lines: string[] = [];
  let bytes = 0;
  for (const kind of FILE_KINDS) {
    const there = new Set(await readdir(join(folder, 'files', FOLDER_OF[kind])));
    for (let after = '', last = ''; ; after = last) {
      const rows = await storage.storedFiles.list(kind, after, 500);
      for (const file of rows) {
        if (!there.has(file.name)) continue;
        const line: FileLine = {
          kind,
          name: file.name,
          size: file.size,
          sha256: file.digest,
          format: file.format,
        };
        lines.push(JSON.stringify(line));
        bytes += file.size;
      }
      last = rows.at(-1)?.id ?? '';
      if (rows.length < 500) break;
    }
  }
  await writeWhole(join(folder, name), lines.map((line) => `${line}\n`).join(''));
  const { digest } = await digestOf(join(folder, name));
  return { name, sha256: digest.toString('hex'), count: lines.length, bytes };
}

async function* filesOf(folder: string, { files }: Manifest): AsyncGenerator<FileLine> {
  const text = await readFile(join(folder, files.name), 'utf8');
  for (const line of text.split('\n')) if (line !== '') yield FileLine.parse(JSON.parse(line));
}

const pathOf = (folder: string, { kind, name }: Pick<FileLine, 'kind' | 'name'>) =>
  join(folder, 'files', FOLDER_OF[kind], name);

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new AppError('conflict', `${folder} holds no finished backup: there is no ${MANIFEST}.`);
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    throw wrong(folder, `its ${MANIFEST} is not one of this version of Platen`);
  }
}

const wrong = (folder: string, what: string) =>
  new AppError('conflict', `The backup in ${folder} cannot be used: ${what}.`);

/** Removes the previous backup's database and list, and files without a row. */
async function removeOld(folder: string, manifest: Manifest): Promise<void> {
  const kept = new Set([MANIFEST, manifest.database.name, manifest.files.name]);
  for (const name of await readdir(folder)) {
    const isOurs = DATABASE.test(name) || FILE_LIST.test(name) || /^platen-[\w-]+\.sqlite-(wal|shm)$/.test(name);
    if (isOurs && !kept.has(name)) await rm(join(folder, name), { force: true });
  }
  const named = new Map<FileKind, Set<string>>(FILE_KINDS.map((kind) => [kind, new Set()]));
  for await (const { kind, name } of filesOf(folder, manifest)) named.get(kind)?.add(name);
  for (const kind of FILE_KINDS) {
    const path = join(folder, 'files', FOLDER_OF[kind]);
    for (const name of await readdir(path))
      if (!named.get(kind)?.has(name)) await rm(join(path, name), { force: true });
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { flush: true });
  await rename(`${path}.new`, path);
}

async function digestOf(path: string) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, digest: hash.digest() };
}
