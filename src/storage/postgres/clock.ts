// The database's clock, which all its nodes have in common, whatever their own say: leases end by it.
//
// It is asked now and then, and goes on by a counter of this process that nobody sets. It is wrong by no more than half
// the time that the question took.

import { type Database, rowsOf } from '../database.ts';

/** How often it is asked, ms. */
const ASK_EVERY = 10_000;

export interface DatabaseClock extends Disposable {
  readonly now: () => Date;
}

/** @throws what a query throws */
export async function openDatabaseClock(db: Database): Promise<DatabaseClock> {
  /** To be added to `performance.now()` for ms since 1970. */
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
        // It goes on by the counter.
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
  const [{ now } = { now: Date.now() }] = await rowsOf<{ now: number }>(
    db,
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  );
  return now - (start + performance.now()) / 2;
}
