// What the stores know of their database: knex, transactions, compiled queries, and locks that nodes share.
//
// There are two dialects, a folder each: SQLite's file, which one server has to itself, and PostgreSQL, which many nodes
// share. Each is a client of knex with the calls of `DialectClient`; what is written in SQL for both is in the stores.

import type { Knex } from 'knex';

/** A connection pool, or a transaction on it: the stores take either. */
export type Database = Knex;

/** A query that is compiled already. */
export interface CompiledQuery {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  /** What kind of query: it decides whether rows are read. */
  readonly method: string;
}

/** What became of it. */
export interface ExecutedQuery {
  /** Rows. */
  readonly response?: unknown;
  readonly context: { readonly changes: number };
}

/** How long a transaction may take: `brief` is bounded, for requests; `long` is not, for migrations. */
export type Duration = 'brief' | 'long';

/** What a dialect's client does beside what knex asks of it. */
export interface DialectClient {
  /** Runs a query without what knex does around one: events, debug texts, copies. */
  execute(query: CompiledQuery): Promise<ExecutedQuery>;
  /** Runs `work` in a transaction of its own, which is rolled back if it throws. */
  transact<T>(work: (tx: Database) => Promise<T>, duration: Duration): Promise<T>;
  /** Another text whenever what storage/changes.ts tells of may have changed. */
  changeMark(): Promise<string>;
}

const clientOf = (db: Database) => db.client as DialectClient;

/** Whether transactions of other processes run beside ours; else all that write come one after the other. */
export const isPostgres = (db: Database): boolean => db.client.dialect === 'postgresql';

/** Runs `work` in a transaction: the one that `db` is, or a new one that ends with it. Nothing slow belongs in it. */
export async function atomically<T>(
  db: Database,
  work: (tx: Database) => Promise<T>,
  duration: Duration = 'brief',
): Promise<T> {
  return db.isTransaction ? work(db) : clientOf(db).transact(work, duration);
}

/** Runs a query that is compiled already. */
export async function execute(db: Database, query: CompiledQuery): Promise<ExecutedQuery> {
  return clientOf(db).execute(query);
}

/** The rows of a query in SQL; bindings by name (`:name`) or by place (`?`). */
export async function rowsOf<Row>(db: Database, sql: string, bindings: object = {}): Promise<Row[]> {
  const result = await db.raw(sql, bindings as never);
  return isPostgres(db) ? result.rows : result;
}

/**
 * Holds the lock of that name until the transaction ends, and waits for whoever has it. SQLite has one writer at a time
 * anyway.
 */
export async function lock(tx: Database, name: string): Promise<void> {
  if (isPostgres(tx)) await tx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`platen ${name}`]);
}

/**
 * Opens a database.
 *
 * @param location a `postgres:` URL, or SQLite's file, which is made if need be
 * @throws Error when it cannot be opened
 */
export async function openDatabase(location: string): Promise<Database> {
  if (isPostgresUrl(location)) return (await import('./postgres/connect.ts')).openPostgres(location);
  return (await import('./sqlite/connect.ts')).openSqlite(location);
}

export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:/i.test(location);
