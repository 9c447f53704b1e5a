// Limits what one client has open, so that it never takes all that the server accepts: its connections, and behind a
// proxy, whose connections are those of all its clients, its requests.
//
// Further connections are closed before anything is read from them: a client cannot be told more without spending on
// it what the limit is to save.

import type { IncomingMessage, Server } from 'node:http';
import type { Middleware } from 'koa';
import { ConcurrencyLimit } from '#concurrency/concurrency-limit.ts';
import { addressGroup } from '#service/accounts/address-group.ts';
import type { State } from './request-context.ts';
import { countUntilSent } from './request-memory.ts';

export interface ConnectionLimit {
  /** Maximum open connections per network; 0 = unlimited. */
  readonly most: number;
  /** Whether an address may be that of a reverse proxy, which is not limited. */
  readonly isProxy: (address: string) => boolean;
}

/** Closes connections to `server` beyond the limit of their network. */
export function limitConnections(server: Server, { most, isProxy }: ConnectionLimit): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (most === 0 || isProxy(address)) return;
    const network = addressGroup(address);
    const count = open.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/**
 * Tells the clients behind a proxy apart: from here on, the address of a request is its client's. Refuses requests
 * beyond the limit of a client, and closes their connections.
 *
 * @param most requests under way per network; 0 = unlimited
 * @param forwarded the address of a client behind a proxy; null for any other
 */
export function tellClientsApart(
  most: number,
  forwarded: (request: IncomingMessage) => string | null,
): Middleware<State> {
  const underWay = new ConcurrencyLimit(most);
  return async (koa, next) => {
    const client = forwarded(koa.req);
    if (client === null) return next();
    koa.request.ip = client;
    let isAdmitted = false;
    try {
      await countUntilSent(koa.res, underWay, addressGroup(client), async () => {
        isAdmitted = true;
        await next();
      });
    } catch (error) {
      // Otherwise it would keep its connection until its body has arrived.
      if (!isAdmitted) koa.set('connection', 'close');
      throw error;
    }
  };
}
