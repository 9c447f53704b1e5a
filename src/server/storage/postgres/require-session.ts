// Checks that a connection to PostgreSQL keeps one session for its lifetime, as LISTEN and session locks require.
//
// A pooler in transaction mode, as PgBouncer is often run, gives each transaction whatever connection is free:
// notifications then reach no listener, or another one.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { AppError } from '#base/errors.ts';
import { unlessUnavailable } from './unavailable.ts';

/** How long to wait for a notification, ms, and how often to send one meanwhile. */
const PATIENCE = 5_000;
const EVERY = 250;

const NEEDS_SESSION =
  'DATABASE_URL leads through a pooler in transaction mode, such as PgBouncer with pool_mode = transaction. Platen needs connections that keep their session, for LISTEN and locks. Set it to the address of PostgreSQL itself, or of a pool with pool_mode = session.';

const REFUSES_SETTINGS =
  'DATABASE_URL leads through a pooler that refuses what Platen sets for its connections. Set it to the address of PostgreSQL itself, or, in a PgBouncer with pool_mode = session, set ignore_startup_parameters = lock_timeout, statement_timeout, idle_in_transaction_session_timeout.';

/**
 * @throws AppError `conflict` when it does not, `overloaded` when the database cannot be reached
 */
export async function requirePostgresSession(url: string): Promise<void> {
  const [listener, other] = [newClient(url), newClient(url)];
  try {
    await Promise.all([listener.connect(), other.connect()]);
    if (!(await isHeard(listener, other))) throw new AppError('conflict', NEEDS_SESSION);
  } catch (error) {
    throw unlessUnavailable(error);
  } finally {
    await Promise.all([listener, other].map((client) => client.end().catch(() => {})));
  }
}

/** Replaces the error that PgBouncer gives for startup settings that it does not know. */
export function unlessRefused(error: unknown): unknown {
  const isRefused = error instanceof Error && /unsupported startup parameter/i.test(error.message);
  return isRefused ? new AppError('conflict', REFUSES_SETTINGS, { cause: error }) : error;
}

async function isHeard(listener: Client, other: Client): Promise<boolean> {
  const channel = `platen_${randomBytes(8).toString('hex')}`;
  let heard = false;
  listener.on('notification', () => {
    heard = true;
  });
  await listener.query(`LISTEN ${channel}`);
  for (const end = performance.now() + PATIENCE; !heard && performance.now() < end; ) {
    await other.query(`NOTIFY ${channel}`);
    for (let waited = 0; !heard && waited < EVERY; waited += 10) await sleep(10);
  }
  return heard;
}

function newClient(url: string): Client {
  const client = new Client({ connectionString: url, application_name: 'platen', connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  return client;
}
