// Opens a PostgreSQL database by its URL.
//
// Rows have the same form as SQLite's, so that the stores handle only one: 8-byte integers and sums are numbers (times
// in ms and bytes are far below 2^53), booleans are 0 and 1.

import knex from 'knex';
import { types } from 'pg';
import type { Database } from '../database.ts';
import { PoolClient } from './client.ts';
import { unlessRefused } from './require-session.ts';

/** Maximum connections per process. */
const CONNECTIONS = 10;

/**
 * Settings of each session. A request's statements are short: one that takes longer is waiting for a lock. The last
 * limit bounds how long a node that stalls in the middle of a transaction keeps its locks.
 */
const SESSION = {
  application_name: 'platen',
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  lock_timeout: 5_000,
  statement_timeout: 8_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

/** Types by their OID (pg_type.dat). */
const OID = { bool: 16, int8: 20, numeric: 1700 } as const;

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [OID.bool]: (text) => (text === 't' ? 1 : 0),
  [OID.int8]: Number,
  [OID.numeric]: Number,
};

const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    PARSERS[oid] ?? types.getTypeParser(oid, format as 'text'),
};

/**
 * @throws Error when the URL is invalid, or the database cannot be reached or refuses the connection
 */
export async function openPostgres(url: string): Promise<Database> {
  const db = knex({
    client: PoolClient,
    connection: { connectionString: url, types: TYPES, ...SESSION } as never,
    compileSqlOnError: false,
    acquireConnectionTimeout: 10_000,
    log: SILENT,
    pool: { min: 0, max: CONNECTIONS },
  });
  try {
    await db.raw('SELECT 1');
  } catch (error) {
    await db.destroy();
    throw unlessRefused(error);
  }
  return db;
}

/** knex also throws whatever it would print, and standard output belongs to the program. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };
