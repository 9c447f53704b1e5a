// Admits requests in round robin over keys, a few at a time: when a thousand requests of one key arrive together, a
// request of another key is next but one, and requests in progress continue in between.
//
// The round-robin key is the request's API key, still unchecked, or its address, since finding its account would take a
// query.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { RoundRobin } from '../round-robin.ts';

/** How long requests are admitted in one turn, ms: a request takes some 0.3 ms until it first waits for something. */
const STRETCH = 4;

/**
 * Wraps `listen` so that requests reach it in round robin. A request that is alone does not wait.
 *
 * While requests keep arriving, one is admitted per turn of the event loop. libuv accepts one connection per turn, and
 * with turns of 4 ms the last of 1,500 simultaneous connections was accepted after six seconds.
 */
export function inTurns(listen: RequestListener, stretch = STRETCH): RequestListener {
  const waiting = new RoundRobin<readonly [IncomingMessage, ServerResponse]>();
  let isDue = false;
  let hasArrived = false;

  const letIn = () => {
    isDue = false;
    const end = performance.now() + (hasArrived ? 0 : stretch);
    hasArrived = false;
    do {
      const next = waiting.shift();
      if (!next) return;
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
