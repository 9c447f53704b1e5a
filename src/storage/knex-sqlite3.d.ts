// Types for the file inside knex that sqlite-client.ts extends; knex publishes none for it.

declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';
  import type { Connection } from '#storage/sqlite-client.ts';

  /** What runs. */
  export interface CompiledQuery {
    readonly sql: string;
    readonly bindings?: readonly unknown[];
    /** What kind of query: it decides whether rows are read. */
    readonly method: string;
  }

  /** The same, with the answer written into it. */
  export interface ExecutedQuery extends CompiledQuery {
    /** Rows. */
    readonly response?: unknown;
    /** What it changed. */
    readonly context: { readonly lastID: number; readonly changes: number };
  }

  export default class Sqlite3Client extends Knex.Client {
    _driver(): unknown;
    transaction(...args: unknown[]): Knex.Transaction;
    query(connection: unknown, query: unknown): Promise<unknown>;
    _query(connection: unknown, query: CompiledQuery): Promise<ExecutedQuery>;
    acquireConnection(): Promise<Connection>;
    releaseConnection(connection: unknown): Promise<void>;
    destroyRawConnection(connection: unknown): Promise<void>;
  }
}
