// Types for the two files inside knex that database.ts extends; knex publishes none for them.

declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';

  /** What runs; the answer is written into it. */
  export interface CompiledQuery {
    readonly sql: string;
    readonly bindings?: readonly unknown[];
  }

  export default class Sqlite3Client extends Knex.Client {
    transaction(...args: unknown[]): Knex.Transaction;
    query(connection: unknown, query: unknown): Promise<unknown>;
    _query(connection: unknown, query: CompiledQuery): Promise<unknown>;
    destroyRawConnection(connection: unknown): Promise<void>;
  }
}

declare module 'knex/lib/dialects/sqlite3/execution/sqlite-transaction.js' {
  import type { Knex } from 'knex';

  interface Sqlite3Transaction extends Knex.Transaction {
    query<R extends object, T>(connection: unknown, sql: string): Knex.QueryBuilder<R, T>;
  }
  class Sqlite3Transaction {
    constructor(client: unknown, ...args: unknown[]);
    begin(connection: unknown): PromiseLike<unknown>;
  }
  export default Sqlite3Transaction;
}
