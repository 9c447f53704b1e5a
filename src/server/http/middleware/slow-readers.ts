// Closes connections of clients that do not read their answers, or read them too slowly.
//
// Node limits how long a request may take to arrive, but not how long its answer may take to be sent. A socket's own
// timeout restarts with whatever the client sends, so the bytes sent are counted here.

import type { Middleware } from 'koa';

/** Check interval, ms; a client that has read nothing since the last check is too slow. */
const LOOK_EVERY = 10_000;
/** The slowest average rate that is accepted, bytes per second. */
const SLOWEST = 32 * 1024;

/** Counts from the moment when the answer is ready. */
export function cutOffSlowReaders(): Middleware {
  return async (koa, next) => {
    await next();
    const { res } = koa;
    // The client left before its answer was ready: no other `close` would end the timer.
    if (res.destroyed) return;
    const { socket } = koa.req;
    // An answer of unknown length may take as long as its client reads on.
    const length = koa.response.length ?? Number.POSITIVE_INFINITY;
    const looks = Math.ceil(length / SLOWEST / (LOOK_EVERY / 1_000)) + 1;
    let looked = 0;
    let left = -1;
    const timer = setInterval(() => {
      const before = left;
      left = socket.bytesWritten - socket.writableLength;
      looked += 1;
      if (left !== before && looked <= looks) return;
      clearInterval(timer);
      res.destroy();
    }, LOOK_EVERY);
    res.once('close', () => clearInterval(timer));
  };
}
