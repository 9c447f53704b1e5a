// Creates a database for one test in the dialect of the run: an SQLite file, or a database on the run's PostgreSQL.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inject } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { runOn } from './postgres/run-on.ts';

export interface NewDatabase extends AsyncDisposable {
  /** The location, as `openDatabase` takes it. */
  readonly location: string;
  /** Environment variables for a server that uses this database. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whether the tests run on PostgreSQL. */
export const ON_POSTGRES = inject('postgres') !== undefined;

/**
 * @param folder the folder for SQLite's file
 * @param tables whether Platen's tables exist already. Ignored for SQLite, whose tables are created at opening.
 */
export async function newDatabase(folder: string, tables: 'empty' | 'migrated' = 'migrated'): Promise<NewDatabase> {
  const server = inject('postgres');
  if (server === undefined) {
    return { location: join(folder, 'platen.sqlite'), env: {}, [Symbol.asyncDispose]: async () => {} };
  }
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOn(
    server,
    `CREATE DATABASE ${name} TEMPLATE ${tables === 'empty' ? 'template0' : 'platen_template'} STRATEGY file_copy`,
  );
  const location = server.replace(/[^/]*$/, name);
  return {
    location,
    env: { DATABASE_URL: location },
    [Symbol.asyncDispose]: () => runOn(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Does the same in its own temporary folder. */
export async function newDatabaseAlone(tables: 'empty' | 'migrated' = 'empty'): Promise<NewDatabase> {
  const folder = await temporaryFolder();
  const made = await newDatabase(folder.path, tables);
  return {
    ...made,
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
