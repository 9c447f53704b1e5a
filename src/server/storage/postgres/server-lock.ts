// Allows one server per database: an advisory lock, which PostgreSQL releases when its holder's connection ends.
//
// The connection serves only the lock. When it breaks, for instance because PostgreSQL restarts, the lock is taken
// again as soon as possible; the server keeps running meanwhile.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { AppError } from '#base/errors.ts';
import { unlessUnavailable } from './unavailable.ts';

const LOCK = "SELECT pg_try_advisory_lock(hashtextextended('platen server', 0)) AS locked";

/** Pause between attempts to take it again, ms. */
const PAUSE = 1_000;

/** @throws AppError `conflict` while another server holds the lock, `overloaded` when the database cannot be reached */
export async function lockDatabase(url: string): Promise<AsyncDisposable> {
  let isOver = false;
  let client: Client | null = null;

  const take = async (): Promise<boolean> => {
    const next = new Client({ connectionString: url, application_name: 'platen server', keepAlive: true });
    let isHeld = false;
    next.on('error', () => {});
    next.on('end', () => {
      if (isHeld && !isOver) void takeAgain();
    });
    await next.connect();
    const { rows } = await next.query<{ locked: boolean }>(LOCK);
    isHeld = rows[0]?.locked === true;
    if (isHeld) client = next;
    else await next.end();
    return isHeld;
  };
  const takeAgain = async () => {
    while (!isOver && !(await take().catch(() => false))) await sleep(PAUSE, undefined, { ref: false });
    if (isOver) await client?.end();
  };

  const isFree = await take().catch((error) => {
    throw unlessUnavailable(error);
  });
  if (!isFree) {
    throw new AppError(
      'conflict',
      'Another Platen server is running on this database, and this one would keep its files in another folder. Stop it first, or let them share their files: ASSETS_URL, or PLATEN_SHARED_FILES.',
    );
  }
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await client?.end();
    },
  };
}
