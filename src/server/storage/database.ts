// The database layer of the stores: knex, transactions, compiled queries, and locks shared by all nodes.
//
// There are two dialects, one folder each: SQLite, whose file one server has to itself, and PostgreSQL, which many
// nodes share. Each is a knex client that also implements `DialectClient`. SQL that works in both is in the stores.

import type { Knex } from 'knex';

/** A connection pool, or a transaction on it: stores accept either. */
export type Database = Knex;

/** A compiled query. */
export interface CompiledQuery {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  /** knex's query method, which determines whether rows are read. */
  readonly method: string;
  /** As of `Statement`. */
  readonly isUncounted?: boolean;
}

/** The result of a query. */
export interface ExecutedQuery {
  /** Rows. */
  readonly response?: unknown;
  readonly context: { readonly changes: number };
}

/** Limit on a transaction's duration: `brief` is bounded, for requests; `long` is not, for migrations. */
export type Duration = 'brief' | 'long';

/** What a dialect's client implements in addition to knex's interface. */
export interface DialectClient {
  /** Runs a query without knex's events, debug output and copies. */
  execute(query: CompiledQuery): Promise<ExecutedQuery>;
  /** Runs `work` in a transaction of its own, which is rolled back if it throws. */
  transact<T>(work: (tx: Database) => Promise<T>, duration: Duration): Promise<T>;
  /** Where it can be told without a statement that nothing was committed. */
  readonly commits?: CommitCheck;
}

export interface CommitCheck {
  /** Whether certainly nothing was committed since the last `look`, by any process, but by statements that are uncounted. */
  readonly isNone: boolean;
  /** Runs `read`, after which nothing that was committed before is news. */
  look<T>(read: () => Promise<T>): Promise<T>;
}

export const commitsOf = (db: Database): CommitCheck | undefined => clientOf(db).commits;

const clientOf = (db: Database) => db.client as DialectClient;

/** Whether transactions of other processes run concurrently. In SQLite all writers are serialised. */
export const isPostgres = (db: Database): boolean => db.client.dialect === 'postgresql';

/** Runs `work` in a transaction: `db` itself if it is one, or a new one. `work` should do nothing slow. */
export async function atomically<T>(
  db: Database,
  work: (tx: Database) => Promise<T>,
  duration: Duration = 'brief',
): Promise<T> {
  return db.isTransaction ? work(db) : clientOf(db).transact(work, duration);
}

/** Runs a compiled query. */
export async function execute(db: Database, query: CompiledQuery): Promise<ExecutedQuery> {
  return clientOf(db).execute(query);
}

/** Returns the rows of an SQL query; bindings by name (`:name`) or position (`?`). */
export async function queryRows<Row>(db: Database, sql: string, bindings: object = {}): Promise<Row[]> {
  const result = await db.raw(sql, bindings as never);
  return isPostgres(db) ? result.rows : result;
}

/**
 * Takes the lock called `name`, waiting if necessary, and holds it until the transaction ends. A no-op in SQLite, which
 * has one writer at a time anyway.
 */
export async function lock(tx: Database, name: string): Promise<void> {
  if (isPostgres(tx)) await tx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`platen ${name}`]);
}
