// Moves all data of a server on SQLite into PostgreSQL and, optionally, its files into an S3 bucket: rows, files, open
// jobs.
//
// The source's server lock is held meanwhile, and the source is only read. The target is marked until everything is
// there and equal: an interrupted move can be repeated, and no server starts on partial data.

import { existsSync } from 'node:fs';
import { AppError } from '#base/errors.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/storage/database.ts';
import { beginMove, endMove, moveUnderWay } from '#server/storage/move/move-mark.ts';
import { compareRows, moveRows, type TableCheck } from '#server/storage/move/move-rows.ts';
import { openBlobs } from '#server/storage/open-blobs.ts';
import { isPostgresUrl, openDatabase } from '#server/storage/open-database.ts';
import { lockForServer } from '#server/storage/server-lock.ts';
import { openStorage, type Storage } from '#server/storage/storage.ts';
import { FILE_KINDS, type FileKind, FOLDER_OF } from '#server/storage/stored-files.ts';
import { type MovedFiles, moveFiles } from './move-files.ts';

export interface MoveOptions {
  /** Whether files stay where they are. */
  readonly keepFiles: boolean;
  /** Whether files that are damaged at the source are left out; otherwise they end the move. */
  readonly withoutDamaged: boolean;
  /** Called with progress messages. */
  readonly say: (words: string) => void;
}

export interface Move {
  readonly tables: readonly TableCheck[];
  readonly files: readonly (MovedFiles & { readonly kind: FileKind })[];
  /** Number of open jobs. */
  readonly jobs: number;
}

/**
 * @throws AppError `conflict` naming what is in the way; the move may be repeated after that
 */
export async function move(source: Config, target: Config, options: MoveOptions): Promise<Move> {
  if (isPostgresUrl(source.database)) {
    throw new AppError(
      'conflict',
      'DATABASE_URL is set, so there is no SQLite database to move. Unset it, and set PLATEN_DATA to the folder to move.',
    );
  }
  if (!existsSync(source.database)) {
    throw new AppError('conflict', `There is no ${source.database}. Set PLATEN_DATA to the folder to move.`);
  }
  await using parts = new AsyncDisposableStack();
  parts.use(await lockForServer(source.database));
  // Migrates both to the schema of this version.
  const sourceStorage = parts.use(await openStorage(source.database));
  const targetStorage = parts.use(await openStorage(target.database));
  parts.use(await lockForServer(target.database));
  const from = parts.adopt(await openDatabase(source.database), (db) => db.destroy());
  const to = parts.adopt(await openDatabase(target.database), (db) => db.destroy());
  await claim(from, to);

  await moveRows(from, to, (table, written) => options.say(`${table}: ${written} rows written`));
  const files: Move['files'][number][] = [];
  if (!options.keepFiles) {
    for (const kind of FILE_KINDS) {
      await using old = await openBlobs(source, FOLDER_OF[kind]);
      await using made = await openBlobs(target, FOLDER_OF[kind]);
      const moved = await moveFiles(sourceStorage, kind, old, made);
      options.say(`${kind}: ${moved.copied} files copied`);
      files.push({ kind, ...moved });
    }
  }
  refuseDamaged(files, options);
  const tables = await compareRows(from, to);
  refuseDifferent(tables);
  const jobs = await handOverJobs(targetStorage);
  await endMove(to);
  return { tables, files, jobs };
}

/** Marks the target for this move. @throws AppError `conflict` when it holds other data */
async function claim(from: Database, to: Database): Promise<void> {
  const [oldest] = await from<{ id: string }>('accounts').orderBy(['created_at', 'id']).limit(1).select('id');
  if (!oldest) throw new AppError('conflict', 'There is nothing to move: the data folder holds no account.');
  const begun = await moveUnderWay(to);
  if (begun === oldest.id) return;
  if (begun !== null) {
    throw new AppError('conflict', 'A move from another data folder into this database has begun. Take an empty one.');
  }
  const [account] = await to('accounts').limit(1).select('id');
  if (account) {
    throw new AppError(
      'conflict',
      'The database holds accounts already: a move that has ended, or what a server made there. Take an empty one.',
    );
  }
  await beginMove(to, oldest.id);
}

function refuseDamaged(files: Move['files'], { withoutDamaged }: MoveOptions): void {
  const damaged = files.flatMap((moved) => moved.damaged);
  if (damaged.length === 0 || withoutDamaged) return;
  throw new AppError(
    'conflict',
    `${damaged.length} files are not what was stored, and were not moved. Restore them and run this again, or leave them out by --without-damaged.\n${damaged.join('\n')}`,
  );
}

function refuseDifferent(tables: readonly TableCheck[]): void {
  const different = tables.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
  if (different.length === 0) return;
  throw new AppError(
    'conflict',
    `Rows have changed while they were moved: ${different.join(', ')}. Run this again, and nothing else beside it.`,
  );
}

/**
 * Prepares the moved jobs for the target's queue. The rows are authoritative: queued jobs stay queued, and leases of
 * stopped servers are released. pg-boss has a queue of its own; its maintenance (jobs/boss/) enters every row that is
 * missing there as soon as a server starts. May be called again after a kill.
 *
 * @returns the number of jobs that have not ended
 */
async function handOverJobs(storage: Storage): Promise<number> {
  const now = storage.clock();
  return storage.transaction(async ({ jobs, deliveries, renders }) => {
    await jobs.takeBack(now, () => now);
    await deliveries.releaseAll(now);
    const { queued, processing } = await renders.countOpen();
    return queued + processing;
  });
}
