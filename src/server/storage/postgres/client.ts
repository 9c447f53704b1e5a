// knex's client for PostgreSQL: returns rows in the form that SQLite does, runs transactions on a borrowed connection,
// and reports temporary errors as such.
//
// A connection whose transaction could not be ended, or that did not answer in time, is closed and never used again.

import knex, { type Knex } from 'knex';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import { AppError } from '#base/errors.ts';
import type { CompiledQuery, Database, DialectClient, Duration, ExecutedQuery } from '../database.ts';
import { isUnavailable, unlessUnavailable } from './unavailable.ts';

/** The part of the driver's connection that is used here. */
export interface Connection {
  query(query: PostgresQuery, done: (error: Error | null, result: Result) => void): void;
  readonly connection: { readonly stream: { destroy(): void } };
}

interface PostgresQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  /** ms */
  readonly query_timeout?: number;
}

interface Result {
  readonly rows: readonly Record<string, unknown>[];
  readonly rowCount: number | null;
}

/** A query as knex passes it; the response is written into it. */
interface KnexQuery extends CompiledQuery {
  response?: Result;
}

/**
 * Timeout of a statement, ms: above the server's own limit (connect.ts), so that it only ends connections whose other
 * end is gone.
 */
const PATIENCE = 10_000;

/** The property by which knex marks a connection to be closed. */
const UNUSABLE = '__knex__disposed';

abstract class AnsweringClient extends PostgresClient {
  /** ms; null = no limit */
  protected patience: number | null = PATIENCE;

  override async _query(connection: Connection, query: KnexQuery): Promise<KnexQuery> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const values = (query.bindings ?? []).map(toValue);
    const timeout = this.patience === null ? {} : { query_timeout: this.patience };
    connection.query({ text: query.sql, values, ...timeout }, (error, result) =>
      error ? reject(error) : resolve(result),
    );
    try {
      query.response = await promise;
    } catch (error) {
      // The answer to an abandoned statement may still arrive: no other query may get it.
      if (isUnavailable(error)) Object.assign(connection, { [UNUSABLE]: error });
      throw error;
    }
    return query;
  }

  override async query(connection: Connection, query: unknown): Promise<unknown> {
    return super.query(connection, query).catch(refuse);
  }

  async execute(query: CompiledQuery): Promise<ExecutedQuery> {
    const connection = await this.acquireConnection();
    try {
      const { response } = await this._query(connection, { ...query });
      return { response: response?.rows, context: { changes: response?.rowCount ?? 0 } };
    } catch (error) {
      // As knex does: the statement without its values.
      if (error instanceof Error) error.message = `${query.sql} - ${error.message}`;
      return refuse(error);
    } finally {
      await this.releaseConnection(connection);
    }
  }

  override transaction(): never {
    throw new Error('Transactions are made by `atomically`.');
  }
}

export class PoolClient extends AnsweringClient implements DialectClient {
  readonly #transactions = new WeakMap<Connection, Knex>();

  async transact<T>(work: (tx: Database) => Promise<T>, duration: Duration): Promise<T> {
    const connection = await this.acquireConnection();
    try {
      await this.#run(connection, 'BEGIN').catch(refuse);
      if (duration === 'long') await this.#run(connection, WITHOUT_LIMITS).catch(refuse);
      const result = await this.#lend(connection, work, duration).catch(async (error) => {
        // The first error is the one to report.
        await this.#end(connection, 'ROLLBACK').catch(() => {});
        throw error;
      });
      await this.#end(connection, 'COMMIT').catch(refuse);
      return result;
    } finally {
      await this.releaseConnection(connection);
    }
  }

  /** A connection that does not answer is closed without a goodbye message. */
  override async destroyRawConnection(connection: Connection): Promise<void> {
    if (UNUSABLE in connection) connection.connection.stream.destroy();
    else await super.destroyRawConnection(connection);
  }

  override async acquireConnection(): Promise<Connection> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      if (error instanceof knex.KnexTimeoutError) throw overloaded(error);
      return refuse(error);
    }
  }

  async #lend<T>(connection: Connection, work: (tx: Database) => Promise<T>, duration: Duration): Promise<T> {
    let tx = this.#transactions.get(connection);
    if (!tx) {
      tx = knex({ ...this.config, client: TransactionClient, pool: { max: 0 } });
      tx.isTransaction = true;
      this.#transactions.set(connection, tx);
    }
    const client = tx.client as TransactionClient;
    client.lend(connection, duration);
    try {
      return await work(tx);
    } finally {
      client.lend(null, 'brief');
    }
  }

  #run(connection: Connection, sql: string): Promise<unknown> {
    return this._query(connection, { sql, method: 'raw' });
  }

  async #end(connection: Connection, sql: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    try {
      await this.#run(connection, sql);
    } catch (error) {
      Object.assign(connection, { [UNUSABLE]: error });
      throw error;
    }
  }
}

/** Lifts the limits that connect.ts sets for every connection, for one transaction. */
const WITHOUT_LIMITS =
  'SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** Uses the connection that its transaction has borrowed, and none after that has ended. */
class TransactionClient extends AnsweringClient {
  #connection: Connection | null = null;

  lend(connection: Connection | null, duration: Duration): void {
    this.#connection = connection;
    this.patience = duration === 'long' ? null : PATIENCE;
  }

  override async acquireConnection(): Promise<Connection> {
    if (!this.#connection) throw new Error('The transaction is over.');
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {}
}

/** PostgreSQL's text type cannot hold NUL, SQLite's can: NUL becomes a replacement character. */
function toValue(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}

/** Translates a driver's error for callers, and throws it. */
function refuse(error: unknown): never {
  throw unlessUnavailable(error);
}

function overloaded(cause: unknown): AppError {
  return new AppError('overloaded', 'The database is busy; try again in a moment.', { cause, retryAfter: 2 });
}
