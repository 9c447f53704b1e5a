// Opens the SQLite file, through knex's client and the driver that driver.ts finds.
//
// One connection a process, in WAL mode, and every transaction begins IMMEDIATE: with a plain BEGIN, two processes that
// read and then write make each other fail with SQLITE_BUSY whatever the busy timeout.

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import knex from 'knex';
import type { Database } from '../database.ts';
import { type Connection, PoolClient } from './client.ts';

/** How long a statement waits for another process to let go of the file, ms. */
const BUSY_TIMEOUT = 5_000;

/** What each connection is set to, and must read back. `synchronous = 2` is FULL: a commit survives a power cut. */
const PRAGMAS = { journal_mode: 'wal', synchronous: 2, busy_timeout: BUSY_TIMEOUT, foreign_keys: 1 } as const;

/** @throws Error when the file cannot be opened, or lies where SQLite's write-ahead log does not work */
export async function openSqlite(file: string): Promise<Database> {
  await mkdir(dirname(file), { recursive: true });
  return connect(file, configure);
}

/** A connection without our settings, for a file that serves as a lock. */
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
      // knex serialises nothing itself: with two connections, "one writer" would be up to chance.
      min: 1,
      max: 1,
      afterCreate: (connection: Connection, done: (error?: unknown) => void) => {
        prepare(connection).then(() => done(), done);
      },
    },
  });
}

/** Whatever knex would print is thrown as well, and standard output belongs to the program. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };

async function configure(connection: Connection): Promise<void> {
  const exec = promisify(connection.exec.bind(connection));
  const get = promisify(connection.get.bind(connection));
  for (const [name, wanted] of Object.entries(PRAGMAS)) {
    await exec(`PRAGMA ${name} = ${wanted}`);
    const row = (await get(`PRAGMA ${name}`)) as Record<string, unknown>;
    const found = Object.values(row)[0];
    if (found !== wanted) throw new Error(`SQLite's ${name} is ${String(found)} and cannot be set to ${wanted} here.`);
  }
}
