// Types for the file inside knex that client.ts extends; knex publishes none for it.

declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';
  import type { Connection } from '#server/storage/postgres/client.ts';

  export default class PostgresClient extends Knex.Client {
    transaction(...args: unknown[]): Knex.Transaction;
    query(connection: unknown, query: unknown): Promise<unknown>;
    _query(connection: unknown, query: unknown): Promise<unknown>;
    acquireConnection(): Promise<Connection>;
    releaseConnection(connection: unknown): Promise<void>;
    destroyRawConnection(connection: unknown): Promise<void>;
  }
}
