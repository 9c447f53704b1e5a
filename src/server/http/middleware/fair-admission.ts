// Admits requests in round robin over accounts and addresses, a few at a time: when a thousand requests of one account
// arrive together, a request of another is next but one, and requests in progress continue in between.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { RoundRobin } from '#base/concurrency/round-robin.ts';

/** When requests are admitted; tests may set other values. */
const PACING = {
  /**
   * How long requests are admitted in one turn of the event loop, ms: a request takes some 0.3 ms until it first waits
   * for something. One that is in progress waits for a dozen turns.
   */
  stretch: 1,
  /** More waiting requests than this are a burst. */
  burst: 100,
  /** How often a request of a burst is admitted while others still arrive, ms. */
  pace: 8,
  /** How long the arrival of a burst is waited for, ms, so that a steady load is not slowed down. */
  longest: 250,
};

/**
 * Wraps `listen` so that requests reach it in round robin. A request that is alone does not wait.
 *
 * @param whoseOf the round-robin key of a request
 *
 * libuv accepts one connection per turn of the event loop, in order of arrival, so a request of another key behind 1,500
 * simultaneous connections waits until all of them are accepted. While requests keep arriving, one is admitted per turn,
 * and fewer during the first moments of a burst.
 */
export function admitFairly(
  listen: RequestListener,
  whoseOf: (request: IncomingMessage) => string,
  pacing: Partial<typeof PACING> = {},
): RequestListener {
  const { stretch, burst, pace, longest } = { ...PACING, ...pacing };
  const waiting = new RoundRobin<readonly [IncomingMessage, ServerResponse]>();
  let count = 0;
  let isDue = false;
  let hasArrived = false;
  /** When the last request was admitted, and since when there are waiting ones. */
  let last = Number.NEGATIVE_INFINITY;
  let since = 0;

  const letIn = () => {
    isDue = false;
    const now = performance.now();
    const isArriving = hasArrived;
    hasArrived = false;
    const isBurst = count > burst && now < since + longest;
    if (isArriving && isBurst && now < last + pace) return comeBack();
    const end = now + (isArriving ? 0 : stretch);
    do {
      const next = waiting.shift();
      if (!next) return;
      count -= 1;
      last = performance.now();
      listen(...next);
    } while (performance.now() < end);
    comeBack();
  };
  const comeBack = () => {
    if (isDue || waiting.isEmpty) return;
    isDue = true;
    setImmediate(letIn);
  };

  return (request, response) => {
    hasArrived = true;
    if (waiting.isEmpty) since = performance.now();
    count += 1;
    waiting.push(whoseOf(request), [request, response]);
    comeBack();
  };
}
