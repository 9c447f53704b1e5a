// Migrates a database to the newest schema: numbered steps, each applied once, all in one transaction.
//
// Of processes that start together one migrates; the others wait and then find nothing to do. SQLite's transaction is
// itself the lock, in PostgreSQL it is an advisory lock. A kill in the middle leaves the old schema intact.
//
// Nodes of the previous version keep running while the first node of a new one migrates. So a step only expands the
// schema: it adds tables, columns with defaults, indexes. What is no longer used is dropped by a later version.

import { AppError } from '#base/errors.ts';
import { atomically, type Database, lock } from './database.ts';
import * as firstRelease from './migrations/0180-first-release.ts';
import * as reviews from './migrations/0190-reviews.ts';
import * as imageFolders from './migrations/0200-image-folders.ts';

/** One step of the schema. A step that was released is never changed again. */
export interface Migration {
  /** The number in its file's name, which is recorded once the step was applied. */
  readonly version: number;
  up(db: Database): Promise<void>;
}

/** In ascending order. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 180, ...firstRelease },
  { version: 190, ...reviews },
  { version: 200, ...imageFolders },
];

/** @throws AppError `conflict` when the database was written by a newer Platen, or before the first release */
export async function migrate(db: Database, steps: readonly Migration[] = MIGRATIONS): Promise<void> {
  const apply = async (tx: Database) => {
    await lock(tx, 'migrations');
    await tx.raw('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)');
    const applied: readonly number[] = await tx<{ version: number }>('migrations').pluck('version');
    refuseOthers(applied, steps);
    for (const { version, up } of steps) {
      if (applied.includes(version)) continue;
      await up(tx);
      await tx('migrations').insert({ version, applied_at: Date.now() });
    }
  };
  await atomically(db, apply, 'long');
}

function refuseOthers(applied: readonly number[], steps: readonly Migration[]): void {
  const newest = Math.max(...applied);
  const known = steps.at(-1)?.version ?? 0;
  if (newest > known) throw new AppError('conflict', writtenByNewer(newest, known));
  if (Math.min(...applied) < (steps[0]?.version ?? 0)) {
    throw new AppError(
      'conflict',
      'The database was written by a Platen from before the first release. With that one, run "platen backup FOLDER"; then, with this one and an empty data folder, "platen restore FOLDER".',
    );
  }
}

const writtenByNewer = (newest: number, known: number) =>
  `The database has schema ${newest}, this Platen knows ${known}: it was written by a newer version. Update Platen.`;

/** @throws AppError `conflict` when the database was written by a newer Platen */
export async function refuseNewer(db: Database): Promise<void> {
  const [newest = 0] = await db<{ version: number }>('migrations').orderBy('version', 'desc').limit(1).pluck('version');
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  if (newest > known) throw new AppError('conflict', writtenByNewer(newest, known));
}
