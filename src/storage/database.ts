// Opens the SQLite file, through knex's client and the driver that sqlite-driver.ts finds.
//
// One connection a process, in WAL mode, and every transaction begins IMMEDIATE: with a plain BEGIN, two processes that
// read and then write make each other fail with SQLITE_BUSY whatever the busy timeout.

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import knex, { type Knex } from 'knex';
import type { CompiledQuery, ExecutedQuery } from 'knex/lib/dialects/sqlite3/index.js';
import { type Connection, PoolClient, type PreparingClient } from './sqlite-client.ts';

/** A connection pool, or a transaction on it: the stores take either. */
export type Database = Knex;

/** Runs `work` in a transaction: the one that `db` is, or a new one that ends with it. Nothing slow belongs in it. */
export async function atomically<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : (db.client as PoolClient).transact(work);
}

/** Runs a query that is compiled already. */
export async function execute(db: Database, query: CompiledQuery): Promise<ExecutedQuery> {
  return (db.client as PreparingClient).execute(query);
}

/** How long a statement waits for another process to let go of the file, ms. */
const BUSY_TIMEOUT = 5_000;

/** What each connection is set to, and must read back. `synchronous = 2` is FULL: a commit survives a power cut. */
const PRAGMAS = { journal_mode: 'wal', synchronous: 2, busy_timeout: BUSY_TIMEOUT, foreign_keys: 1 } as const;

/** @throws Error when the file cannot be opened, or lies where SQLite's write-ahead log does not work */
export async function openDatabase(file: string): Promise<Database> {
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
