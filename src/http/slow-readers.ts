// Clients that do not read their answers: each is given a time that its answer's length allows for, and then cut off.
//
// Node bounds how long a request may take to arrive, but not how long its answer may take to leave.

import type { Middleware } from 'koa';

/** What the slowest client that is waited for reads in a second, bytes. */
const SLOWEST = 16 * 1024;
/** What everybody is given, whatever the length, ms. */
const GRACE = 20_000;

/** Counts from the moment at which the answer is ready. */
export function cutOffSlowReaders(): Middleware {
  return async (koa, next) => {
    await next();
    const patience = GRACE + ((koa.response.length ?? 0) / SLOWEST) * 1_000;
    const timer = setTimeout(() => koa.res.destroy(), patience);
    koa.res.once('close', () => clearTimeout(timer));
  };
}
