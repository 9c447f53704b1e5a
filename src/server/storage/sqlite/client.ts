// knex's client for SQLite, with a short path to the driver for the most frequent work: compiled statements and
// transactions.
//
// A transaction has its connection to itself until it ends. If it cannot be ended, the connection is closed. Those that wait
// meanwhile commit together: a commit waits for the disk, and one may wait for all of them.

import { promisify } from 'node:util';
import knex, { type Knex } from 'knex';
import Sqlite3Client from 'knex/lib/dialects/sqlite3/index.js';
import { AppError } from '#base/errors.ts';
import type { CompiledQuery, DialectClient, Duration, ExecutedQuery } from '../database.ts';
import { unlessFull } from '../full-disk.ts';
import { Commits } from './commits.ts';
import { sqliteDriver } from './driver.ts';

/** The part of the driver's connection that is used here. */
export interface Connection extends Preparing {
  exec(sql: string, done: (error: Error | null) => void): void;
  get(sql: string, done: (error: Error | null, row: unknown) => void): void;
}

/** Kept outside the clients, since each connection has two. */
const prepared = new WeakMap<Connection, PreparedStatements>();

function preparedOn(connection: Connection): PreparedStatements {
  const found = prepared.get(connection) ?? new PreparedStatements(connection);
  prepared.set(connection, found);
  return found;
}

abstract class PreparingClient extends Sqlite3Client {
  override _driver(): unknown {
    return sqliteDriver();
  }

  override async _query(connection: Connection, query: CompiledQuery): Promise<ExecutedQuery> {
    return super._query(isWorthKeeping(query) ? preparedOn(connection) : connection, query);
  }

  override async query(connection: Connection, query: unknown): Promise<unknown> {
    return super.query(connection, query).catch(refuse);
  }

  /** Runs a compiled query without knex's events, debug output and copies. */
  async execute(query: CompiledQuery): Promise<ExecutedQuery> {
    const connection = await this.acquireConnection();
    try {
      return await this.perform(connection, query);
    } finally {
      await this.releaseConnection(connection);
    }
  }

  protected async perform(connection: Connection, query: CompiledQuery): Promise<ExecutedQuery> {
    try {
      return await this._query(connection, query);
    } catch (error) {
      // As knex does: the statement without its values.
      if (error instanceof Error) error.message = `${query.sql} - ${error.message}`;
      return refuse(error);
    }
  }

  /** knex's own transactions create a whole knex instance each, and begin without IMMEDIATE. */
  override transaction(): never {
    throw new Error('Transactions are made by `atomically`.');
  }
}

/** A transaction that several share: each has its turn on the connection, and the last one commits for all. */
interface Shared {
  readonly connection: Connection;
  /** Null for a statement that is alone, which commits by itself. */
  readonly committed: PromiseWithResolvers<void> | null;
  count: number;
  /** As of `Commits.own`. */
  readonly passOver: () => void;
  /** Whether something was surely written. */
  hasWritten: boolean;
  /** Whether all that share it have run uncounted statements. */
  isUncounted: boolean;
}

/** Most that share a transaction: readers wait for all of them, some milliseconds. */
const MOST_SHARING = 16;
/** How long a transaction or a writing statement waits for its turn, ms; as knex waits for a connection. */
const PATIENCE = 10_000;

export class PoolClient extends PreparingClient implements DialectClient {
  /** Called in order of arrival, each with the transaction to join, or null where it begins its own. */
  readonly #writers: ((shared: Shared | null) => void)[] = [];
  #isWriting = false;
  readonly #transactions = new WeakMap<Connection, Knex>();
  /** The connection while it is idle and nobody waits for the pool, so that the next query need not ask the pool. */
  #kept: Connection | null = null;
  #waiting = 0;
  #isClosing = false;
  readonly commits = new Commits((this.config.connection as Knex.Sqlite3ConnectionConfig).filename);

  /** Runs `work` between BEGIN IMMEDIATE and COMMIT, or ROLLBACK if it throws. A long one is not shared. */
  async transact<T>(work: (tx: Knex) => Promise<T>, duration: Duration): Promise<T> {
    return this.#write((connection) => this.#lend(connection, work), duration === 'long' ? 'alone' : 'points');
  }

  override async execute(query: CompiledQuery): Promise<ExecutedQuery> {
    if (!/^(insert|update|delete)\b/i.test(query.sql)) return super.execute(query);
    return this.#write(async (connection, shared) => {
      const executed = await this.perform(connection, query);
      const { response, context } = executed;
      shared.hasWritten ||= Array.isArray(response) ? response.length > 0 : context.changes > 0;
      shared.isUncounted &&= query.isUncounted === true;
      return executed;
    }, 'statement');
  }

  /**
   * @param how `points`: after others in a transaction, `work` is undone by a savepoint if it throws; `statement`: it is one
   *   statement, which SQLite undoes by itself; `alone`: no other joins
   */
  async #write<T>(
    work: (connection: Connection, shared: Shared) => Promise<T>,
    how: 'points' | 'statement' | 'alone',
  ): Promise<T> {
    const shared = await this.#turn(how);
    const { connection, committed } = shared;
    shared.isUncounted &&= how === 'statement';
    const hasPoint = how !== 'statement' && shared.count > 0;
    shared.count += 1;
    let done: { readonly result: T } | { readonly error: unknown };
    /** Whether nothing of the transaction can be kept. */
    let isLost = false;
    try {
      if (hasPoint) await this.#run(connection, 'SAVEPOINT writer');
      done = { result: await work(connection, shared) };
      if (hasPoint) await this.#run(connection, 'RELEASE writer');
    } catch (error) {
      done = { error };
      isLost = hasPoint ? !(await this.#undo(connection)) : how !== 'statement' || !isRefused(error);
    }
    const mayJoin = committed && how !== 'alone' && !isLost && shared.count < MOST_SHARING;
    const next = mayJoin ? this.#writers.shift() : undefined;
    if (next) next(shared);
    else await this.#finish(shared, isLost && 'error' in done ? done : null);
    // The first error is the one to report.
    if ('error' in done) throw done.error;
    await committed?.promise;
    return done.result;
  }

  /** False where SQLite has undone the whole transaction by itself, as it does when the disk is full. */
  async #undo(connection: Connection): Promise<boolean> {
    try {
      await this.#run(connection, 'ROLLBACK TO writer');
      await this.#run(connection, 'RELEASE writer');
      return true;
    } catch {
      return false;
    }
  }

  /** Waits until others have written. Returns a transaction to join, or one that begins. @throws AppError `overloaded` */
  async #turn(how: 'points' | 'statement' | 'alone'): Promise<Shared> {
    let shared: Shared | null = null;
    if (this.#isWriting) shared = await this.#waitedFor();
    this.#isWriting = true;
    if (shared && how === 'alone') {
      await this.#finish(shared, null);
      return this.#turn(how);
    }
    return shared ?? this.#begin(how === 'statement' && this.#writers.length === 0);
  }

  #waitedFor(): Promise<Shared | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Shared | null>();
    const come = (shared: Shared | null) => {
      clearTimeout(timer);
      resolve(shared);
    };
    const timer = setTimeout(() => {
      this.#writers.splice(this.#writers.indexOf(come), 1);
      reject(busy(undefined));
    }, PATIENCE);
    this.#writers.push(come);
    return promise;
  }

  async #begin(isStatement: boolean): Promise<Shared> {
    try {
      const connection = await this.acquireConnection();
      const shared: Shared = {
        connection,
        committed: isStatement ? null : Promise.withResolvers<void>(),
        count: 0,
        passOver: this.commits.own(),
        hasWritten: false,
        isUncounted: true,
      };
      shared.committed?.promise.catch(() => {});
      if (isStatement) return shared;
      try {
        await this.#run(connection, 'BEGIN IMMEDIATE').catch(refuse);
      } catch (error) {
        await this.releaseConnection(connection);
        throw error;
      }
      return shared;
    } catch (error) {
      this.#handOn();
      throw error;
    }
  }

  /** Commits a transaction, or undoes it because of a failure, and tells all that share it. */
  async #finish(shared: Shared, failure: { readonly error: unknown } | null): Promise<void> {
    const { connection, committed } = shared;
    try {
      if (committed) await this.#end(connection, failure ? 'ROLLBACK' : 'COMMIT').catch(refuse);
      if (!failure && shared.hasWritten && shared.isUncounted) shared.passOver();
      if (failure) committed?.reject(failure.error);
      else committed?.resolve();
    } catch (error) {
      committed?.reject(failure?.error ?? error);
    } finally {
      await this.releaseConnection(connection);
      this.#handOn();
    }
  }

  #handOn(): void {
    const next = this.#writers.shift();
    if (next) next(null);
    else this.#isWriting = false;
  }

  async #lend<T>(connection: Connection, work: (tx: Knex) => Promise<T>): Promise<T> {
    const tx = this.#transactionOn(connection);
    const client = tx.client as TransactionClient;
    client.lend(connection);
    try {
      return await work(tx);
    } finally {
      client.lend(null);
    }
  }

  /** One knex instance for all transactions on a connection, which run one after the other. */
  #transactionOn(connection: Connection): Knex {
    let tx = this.#transactions.get(connection);
    if (!tx) {
      tx = knex({ ...this.config, client: TransactionClient, pool: { max: 0 } });
      tx.isTransaction = true;
      this.#transactions.set(connection, tx);
    }
    return tx;
  }

  /**
   * If a transaction cannot be ended it is still open: the connection is marked so that the pool closes it, which rolls
   * back.
   */
  async #end(connection: Connection, sql: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    try {
      await this.#run(connection, sql);
    } catch (error) {
      Object.assign(connection, { [UNUSABLE]: error });
      throw error;
    }
  }

  #run(connection: Connection, sql: string): Promise<unknown> {
    return this._query(connection, { sql, method: 'raw' });
  }

  override async acquireRawConnection(): Promise<Connection> {
    const connection = await super.acquireRawConnection();
    this.commits.opened();
    return connection;
  }

  override async destroyRawConnection(connection: Connection): Promise<void> {
    await prepared.get(connection)?.finalize();
    await super.destroyRawConnection(connection);
    this.commits.closed();
  }

  override async acquireConnection(): Promise<Connection> {
    const kept = this.#kept;
    this.#kept = null;
    if (kept) return kept;
    this.#waiting += 1;
    try {
      return await super.acquireConnection();
    } catch (error) {
      throw error instanceof knex.KnexTimeoutError ? busy(error) : error;
    } finally {
      this.#waiting -= 1;
    }
  }

  override async releaseConnection(connection: Connection): Promise<void> {
    const isThePools = this.#waiting > 0 || this.#isClosing || isUnusable(connection);
    if (isThePools) await super.releaseConnection(connection);
    else this.#kept = connection;
  }

  override async destroy(done?: () => void): Promise<void> {
    const kept = this.#kept;
    this.#kept = null;
    this.#isClosing = true;
    if (kept) await super.releaseConnection(kept);
    await super.destroy(done);
  }
}

/** The property by which knex marks a connection to be closed. */
const UNUSABLE = '__knex__disposed';
const isUnusable = (connection: Connection) => UNUSABLE in connection;

/** Uses the connection that its transaction has borrowed, and none after that has ended. */
class TransactionClient extends PreparingClient {
  #connection: Connection | null = null;

  lend(connection: Connection | null): void {
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<Connection> {
    if (!this.#connection) throw new Error('The transaction is over.');
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {}
}

/** Whether a constraint has refused a statement, of which SQLite then undoes nothing else (lang_conflict.html). */
const isRefused = (error: unknown) => (error as { code?: unknown } | null)?.code === 'SQLITE_CONSTRAINT';

/** Translates a driver's error for callers, and throws it. */
function refuse(error: unknown): never {
  // Another process held the lock on the file for longer than the busy timeout.
  if ((error as { code?: unknown } | null)?.code === 'SQLITE_BUSY') throw busy(error);
  throw unlessFull(error);
}

function busy(cause: unknown): AppError {
  return new AppError('overloaded', 'The database is busy; try again in a moment.', { cause, retryAfter: 2 });
}

// Caches prepared statements: compiled once per connection, then only bound and stepped.
//
// The driver on its own compiles, runs and finalizes each statement in separate tasks of its thread pool; a render runs
// a dozen statements.

/** The part of the driver's connection that is used here. */
interface Preparing {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
}

interface Statement {
  run(bindings: readonly unknown[], done: (this: Outcome, error: Error | null) => void): void;
  all(bindings: readonly unknown[], done: (this: Outcome, error: Error | null, rows?: unknown[]) => void): void;
  reset(done: () => void): void;
  finalize(done: () => void): void;
}

/** The result of a writing statement. */
interface Outcome {
  readonly lastID: number;
  readonly changes: number;
}

type Done = (this: Outcome, error: Error | null, rows?: unknown[]) => void;

/** Maximum cached statements; the server itself uses about ninety. */
const MOST = 128;

/** A statement keeps its last bindings in memory. With a text longer than this, in characters, it is not cached. */
const LONGEST_BINDING = 16_384;

/** Whether a statement is worth caching: one of the few texts that run repeatedly, with small bindings. */
function isWorthKeeping({ sql, bindings = [] }: CompiledQuery): boolean {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > LONGEST_BINDING;
  return (
    /^(select|insert|update|delete|begin|commit|savepoint|release|rollback)\b/i.test(sql) && !bindings.some(isLong)
  );
}

/** Implements the part of the driver's connection that runs statements. One statement may run at a time. */
class PreparedStatements {
  readonly #connection: Preparing;
  // In order of last use.
  readonly #statements = new Map<string, Promise<Statement>>();

  constructor(connection: Preparing) {
    this.#connection = connection;
  }

  /** Runs a statement that returns no rows; `this` of `done` says what it changed. */
  run(sql: string, bindings: readonly unknown[] = [], done: Done): void {
    this.#execute(sql, done, (statement, then) => statement.run(bindings, then));
  }

  /** Runs a statement to its last row. */
  all(sql: string, bindings: readonly unknown[] = [], done: Done): void {
    this.#execute(sql, done, (statement, then) => statement.all(bindings, then));
  }

  /** Call before closing the connection, which fails while it has statements. */
  async finalize(): Promise<void> {
    const statements = [...this.#statements.values()];
    this.#statements.clear();
    await Promise.all(statements.map((statement) => statement.then(finalized, () => {})));
  }

  #execute(sql: string, done: Done, step: (statement: Statement, then: Done) => void): void {
    const prepared = this.#statements.get(sql) ?? this.#prepare(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, prepared);
    this.#forgetOldest();
    prepared.then(
      (statement) =>
        step(statement, function (error, rows) {
          // Copied, since the next run overwrites them on the statement.
          const outcome = { lastID: this.lastID, changes: this.changes };
          // To SQLite, a statement that met a locked file is running until it is reset, and other statements' writes
          // are committed only when the last one ends (https://www.sqlite.org/lang_transaction.html, 2).
          if (error) statement.reset(() => done.call(outcome, error));
          else done.call(outcome, null, rows);
        }),
      (error) => {
        this.#statements.delete(sql);
        done.call({ lastID: 0, changes: 0 }, error);
      },
    );
  }

  async #prepare(sql: string): Promise<Statement> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const statement = this.#connection.prepare(sql, (error) => (error ? reject(error) : resolve()));
    await promise;
    return statement;
  }

  #forgetOldest(): void {
    if (this.#statements.size <= MOST) return;
    for (const [sql, statement] of this.#statements) {
      this.#statements.delete(sql);
      void statement.then(finalized, () => {});
      return;
    }
  }
}

const finalized = (statement: Statement) => promisify(statement.finalize.bind(statement))();
