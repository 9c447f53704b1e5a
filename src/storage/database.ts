// Opens the SQLite file. The only file that names the driver (sqlite3, through knex); another driver would go here.
//
// One connection a process, in WAL mode, and every transaction begins IMMEDIATE: with knex's plain BEGIN, two processes
// that read and then write make each other fail with SQLITE_BUSY whatever the busy timeout.

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import knex, { type Knex } from 'knex';
import Sqlite3Transaction from 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js';
import Sqlite3Client, { type CompiledQuery } from 'knex/lib/dialects/sqlite3/index.js';
import { AppError } from '#errors';
import { unlessFull } from './full-disk.ts';
import { isWorthKeeping, PreparedStatements, type Preparing } from './prepared-statements.ts';

/** A connection pool, or a transaction on it: the stores take either. */
export type Database = Knex;

/** Runs `work` in a transaction: the one that `db` is, or a new one. */
export function atomically<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction(work);
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
    client: ImmediateClient,
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

/** What we use of the driver's connection. */
export interface Connection extends Preparing {
  exec(sql: string, done: (error: Error | null) => void): void;
  get(sql: string, done: (error: Error | null, row: unknown) => void): void;
}

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

class ImmediateTransaction extends Sqlite3Transaction {
  override begin(connection: unknown): PromiseLike<unknown> {
    return this.query(connection, 'BEGIN IMMEDIATE;');
  }
}

/** Outside of the client: knex makes another for each transaction, on the same connection. */
const prepared = new WeakMap<Connection, PreparedStatements>();

function preparedOn(connection: Connection): PreparedStatements {
  const found = prepared.get(connection) ?? new PreparedStatements(connection);
  prepared.set(connection, found);
  return found;
}

class ImmediateClient extends Sqlite3Client {
  override _query(connection: Connection, query: CompiledQuery): Promise<unknown> {
    return super._query(isWorthKeeping(query) ? preparedOn(connection) : connection, query);
  }

  override async destroyRawConnection(connection: Connection): Promise<void> {
    await prepared.get(connection)?.finalize();
    await super.destroyRawConnection(connection);
  }

  override transaction(...args: unknown[]): Knex.Transaction {
    return new ImmediateTransaction(this, ...args);
  }

  override async query(connection: unknown, query: unknown): Promise<unknown> {
    try {
      return await super.query(connection, query);
    } catch (error) {
      // A transaction that could not be ended is still open. knex would hand its connection on; closed, it rolls back.
      if (query === 'COMMIT;' || query === 'ROLLBACK') Object.assign(connection as object, { __knex__disposed: error });
      throw isBusy(error) ? busy(error) : unlessFull(error);
    }
  }

  override async acquireConnection(): Promise<unknown> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      throw error instanceof knex.KnexTimeoutError ? busy(error) : error;
    }
  }
}

/** Whether another process kept the file locked for longer than `BUSY_TIMEOUT`. */
function isBusy(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'SQLITE_BUSY';
}

function busy(cause: unknown): AppError {
  return new AppError('overloaded', 'The database is busy; try again in a moment.', { cause, retryAfter: 2 });
}
