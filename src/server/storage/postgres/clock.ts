// The database's clock, shared by all nodes whatever their own clocks say: leases end by it.
//
// It is queried periodically; in between, this process's monotonic counter continues it. The error is at most half the
// duration of the query.

import { type Database, queryRows } from '../database.ts';

/** Interval of the queries, ms. */
const ASK_EVERY = 10_000;

export interface DatabaseClock extends Disposable {
  readonly now: () => Date;
}

/** @throws what a query throws */
export async function openDatabaseClock(db: Database): Promise<DatabaseClock> {
  /** Added to `performance.now()` to give ms since 1970. */
  let offset = await ask(db);
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    ask(db)
      .then(
        (asked) => {
          offset = asked;
        },
        // Keeps the old offset.
        () => {},
      )
      .finally(() => {
        isAsking = false;
      });
  }, ASK_EVERY);
  timer.unref();
  return {
    now: () => new Date(performance.now() + offset),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

async function ask(db: Database): Promise<number> {
  const start = performance.now();
  const [{ now } = { now: Date.now() }] = await queryRows<{ now: number }>(
    db,
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  );
  return now - (start + performance.now()) / 2;
}
