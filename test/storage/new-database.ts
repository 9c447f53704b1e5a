// A database for one test, in the dialect that the run is about: SQLite's file, or a database on the run's PostgreSQL.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inject } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { runOn } from './postgres/run-on.ts';

export interface NewDatabase extends AsyncDisposable {
  /** As `openDatabase` takes it. */
  readonly location: string;
  /** The environment of a server that is to use it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Whether the tests run on PostgreSQL. */
export const ON_POSTGRES = inject('postgres') !== undefined;

/**
 * @param folder where SQLite's file goes
 * @param tables whether it has ours already; SQLite makes them when it is opened
 */
export async function newDatabase(folder: string, tables: 'empty' | 'migrated' = 'migrated'): Promise<NewDatabase> {
  const server = inject('postgres');
  if (server === undefined) {
    return { location: join(folder, 'platen.sqlite'), env: {}, [Symbol.asyncDispose]: async () => {} };
  }
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOn(server, `CREATE DATABASE ${name} TEMPLATE ${tables === 'empty' ? 'template0' : 'platen_template'}`);
  const location = server.replace(/[^/]*$/, name);
  return {
    location,
    env: { DATABASE_URL: location },
    [Symbol.asyncDispose]: () => runOn(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The same with a folder of its own. */
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
