// Admits requests in round robin over keys, a few at a time: when a thousand requests of one key arrive together, a
// request of another key is next but one, and requests in progress continue in between.
//
// The round-robin key is the request's API key, still unchecked, or its address, since finding its account would take a
// query.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { RoundRobin } from '../round-robin.ts';

/**
 * How long requests are admitted in one turn of the event loop, ms: a request takes some 0.3 ms until it first waits for
 * something. One that is in progress waits for a dozen turns.
 */
const STRETCH = 1;
/** How often a request is admitted while others keep arriving, ms. */
const PACE = 8;

/**
 * Wraps `listen` so that requests reach it in round robin. A request that is alone does not wait.
 *
 * While requests keep arriving, only one is admitted every `pace` ms. libuv accepts one connection per turn, in order of
 * arrival, so a request of another key behind 1,500 simultaneous connections waits until all of them are accepted.
 */
export function inTurns(listen: RequestListener, stretch = STRETCH, pace = PACE): RequestListener {
  const waiting = new RoundRobin<readonly [IncomingMessage, ServerResponse]>();
  let isDue = false;
  let hasArrived = false;
  let last = Number.NEGATIVE_INFINITY;

  const letIn = () => {
    isDue = false;
    const now = performance.now();
    const end = now + (hasArrived ? 0 : stretch);
    const isEarly = hasArrived && now < last + pace;
    hasArrived = false;
    if (isEarly) return comeBack();
    do {
      const next = waiting.shift();
      if (!next) return;
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
    waiting.push(request.headers.authorization ?? request.socket.remoteAddress ?? '', [request, response]);
    comeBack();
  };
}
