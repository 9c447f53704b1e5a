// Lets requests in a few at a time, accounts in turn: when a thousand requests of one key arrive together, another's is
// the next but one, and what is under way goes on between them.
//
// A request's turn is told by what it carries, its key unchecked, or by its address: whose it is takes a query.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** For how long requests are let in at a stretch, ms: a request takes some 0.3 until it first waits for something. */
const STRETCH = 4;

type Waiting = readonly [IncomingMessage, ServerResponse];

/** A listener that hands requests to `listen` in turns. None waits while there are no others. */
export function inTurns(listen: RequestListener, stretch = STRETCH): RequestListener {
  /** By whose they are; the first of the map has had its last turn longest ago. */
  const queues = new Map<string, Waiting[]>();
  let isDue = false;

  const letIn = () => {
    isDue = false;
    const end = performance.now() + stretch;
    do {
      const [next] = queues;
      if (!next) return;
      const [whose, queue] = next;
      queues.delete(whose);
      const waiting = queue.shift();
      if (queue.length > 0) queues.set(whose, queue);
      if (waiting) listen(...waiting);
    } while (performance.now() < end);
    comeBack();
  };
  const comeBack = () => {
    if (isDue || queues.size === 0) return;
    isDue = true;
    setImmediate(letIn);
  };

  return (request, response) => {
    const whose = request.headers.authorization ?? request.socket.remoteAddress ?? '';
    const queue = queues.get(whose);
    if (queue) queue.push([request, response]);
    else queues.set(whose, [[request, response]]);
    comeBack();
  };
}
