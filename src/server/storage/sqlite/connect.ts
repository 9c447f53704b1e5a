// Opens the SQLite file through knex's client and the driver chosen by driver.ts.
//
// One connection per process, in WAL mode, and every transaction begins IMMEDIATE: with a plain BEGIN, two processes
// that read and then write make each other fail with SQLITE_BUSY whatever the busy timeout.

import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import knex from 'knex';
import type { Database } from '../database.ts';
import { makeFolder } from '../make-folder.ts';
import { type Connection, PoolClient } from './client.ts';

/** How long a statement waits for another process's lock on the file, ms. */
const BUSY_TIMEOUT = 5_000;

/** Settings of each connection, which are read back. `synchronous = 2` is FULL: a commit survives a power cut. */
const PRAGMAS = { busy_timeout: BUSY_TIMEOUT, journal_mode: 'wal', synchronous: 2, foreign_keys: 1 } as const;

/**
 * @throws Error when the file cannot be opened, or is on a filesystem where SQLite's write-ahead log does not work
 */
export async function openSqlite(file: string): Promise<Database> {
  await makeFolder(dirname(file));
  return connect(file, configure);
}

/** Opens a connection without the settings above, for a file that serves as a lock. */
export function connect(file: string, prepare: (connection: Connection) => Promise<void>): Database {
  return knex({
    client: PoolClient,
    connection: { filename: file },
    useNullAsDefault: true,
    // Values of a failed statement may be secrets, and errors are logged.
    compileSqlOnError: false,
    acquireConnectionTimeout: 10_000,
    log: SILENT,
    pool: {
      // knex does not serialise: with two connections, there would be two writers.
      min: 1,
      max: 1,
      afterCreate: (connection: Connection, done: (error?: unknown) => void) => {
        prepare(connection).then(() => done(), done);
      },
    },
  });
}

/** knex also throws whatever it would print, and standard output belongs to the program. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };

async function configure(connection: Connection): Promise<void> {
  const exec = promisify(connection.exec.bind(connection));
  const get = promisify(connection.get.bind(connection));
  for (const [name, wanted] of Object.entries(PRAGMAS)) {
    await whenFree(() => exec(`PRAGMA ${name} = ${wanted}`));
    const row = (await get(`PRAGMA ${name}`)) as Record<string, unknown>;
    const found = Object.values(row)[0];
    if (found !== wanted) throw new Error(`SQLite's ${name} is ${String(found)} and cannot be set to ${wanted} here.`);
  }
}

/**
 * Tries again while the file is locked. Two processes that open a new file at once can both hold the shared lock when
 * they change its journal mode, and then SQLite fails at once instead of waiting (https://www.sqlite.org/c3ref/busy_handler.html).
 */
async function whenFree(work: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + BUSY_TIMEOUT; ; ) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY' || performance.now() > until) throw error;
      // Apart by chance, so that the same two do not meet again.
      await setTimeout(5 + 20 * Math.random());
    }
  }
}
