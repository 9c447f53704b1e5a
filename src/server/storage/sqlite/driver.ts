// Chooses the SQLite driver: sqlite3, or Node's own where that package is not installed.
//
// It is optional: npm leaves it out where it may not run install scripts, or where its binding can be neither fetched nor
// compiled. Node's own needs neither.

import { createRequire } from 'node:module';
import { NodeSqliteConnection } from './node-sqlite/connection.ts';

/** The driver interface that knex expects: the class of its connections. */
export interface SqliteDriver {
  readonly Database: new (filename: string, ...rest: never[]) => unknown;
}

export const NODE_SQLITE: SqliteDriver = { Database: NodeSqliteConnection };

/** Loads sqlite3 if possible, otherwise Node's own SQLite. */
export function sqliteDriver(): SqliteDriver {
  try {
    return createRequire(import.meta.url)('sqlite3') as SqliteDriver;
  } catch {
    return NODE_SQLITE;
  }
}
