// Clients that do not read their answers: whoever stops reading is cut off, and so is who reads a little at a time.
//
// Node bounds how long a request may take to arrive, but not how long its answer may take to leave; and a socket's own
// timeout is put off by whatever the client sends, so that what left is counted here.

import type { Middleware } from 'koa';

/** How often it is looked at what has left; nothing since the last time is too slow, ms. */
const LOOK_EVERY = 10_000;
/** What the slowest client that is waited for reads in a second, on the whole, bytes. */
const SLOWEST = 32 * 1024;

/** Counts from the moment at which the answer is ready. */
export function cutOffSlowReaders(): Middleware {
  return async (koa, next) => {
    await next();
    const { res } = koa;
    const { socket } = koa.req;
    const looks = Math.ceil((koa.response.length ?? 0) / SLOWEST / (LOOK_EVERY / 1_000)) + 1;
    let looked = 0;
    let left = -1;
    const timer = setInterval(() => {
      const before = left;
      left = socket.bytesWritten - socket.writableLength;
      looked += 1;
      if (left === before || looked > looks) res.destroy();
    }, LOOK_EVERY);
    res.once('close', () => clearInterval(timer));
  };
}
