// One server a database: an advisory lock that PostgreSQL drops when the connection of its holder ends.
//
// The connection is the lock's alone. When it breaks, as when PostgreSQL restarts, the lock is taken again as soon as that
// goes; the server goes on meanwhile.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { AppError } from '#errors';
import { unlessUnavailable } from './unavailable.ts';

const LOCK = "SELECT pg_try_advisory_lock(hashtextextended('platen server', 0)) AS locked";

/** Between two attempts to have it back, ms. */
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
      'Another Platen server is running on this database, and this one would keep its files in another folder. Stop it first, or give this one a database of its own.',
    );
  }
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await client?.end();
    },
  };
}
