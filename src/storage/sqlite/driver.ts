// The SQLite driver: sqlite3, or Node's own where sqlite3's binding was not built.
//
// That is so where npm was not allowed to run install scripts, and no compiler is needed then.

import { createRequire } from 'node:module';
import { NodeSqliteConnection } from './node-sqlite/connection.ts';

/** What knex asks of a driver: the class of its connections. */
export interface SqliteDriver {
  readonly Database: new (filename: string, ...rest: never[]) => unknown;
}

export const NODE_SQLITE: SqliteDriver = { Database: NodeSqliteConnection };

/** Loads sqlite3 if it can be loaded. */
export function sqliteDriver(): SqliteDriver {
  try {
    return createRequire(import.meta.url)('sqlite3') as SqliteDriver;
  } catch {
    return NODE_SQLITE;
  }
}
