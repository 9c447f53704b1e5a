// Types for the file inside knex that client.ts extends; knex publishes none for it.

declare module 'knex/lib/dialects/sqlite3/index.js' {
  import type { Knex } from 'knex';
  import type { Connection } from '#server/storage/sqlite/client.ts';
  import type { CompiledQuery, ExecutedQuery } from '../open-database.ts';

  export default class Sqlite3Client extends Knex.Client {
    _driver(): unknown;
    transaction(...args: unknown[]): Knex.Transaction;
    query(connection: unknown, query: unknown): Promise<unknown>;
    _query(connection: unknown, query: CompiledQuery): Promise<ExecutedQuery>;
    acquireConnection(): Promise<Connection>;
    releaseConnection(connection: unknown): Promise<void>;
    acquireRawConnection(): Promise<Connection>;
    destroyRawConnection(connection: unknown): Promise<void>;
  }
}
