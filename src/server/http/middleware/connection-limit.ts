// Limits what one client has open, so that it never takes all that the server accepts: its connections, and behind a
// proxy, whose connections are those of all its clients, its requests.
//
// Further connections are closed before anything is read from them: a client cannot be told more without spending on
// it what the limit is to save. When all are taken, a new one takes the place of one that waits for its client: the
// oldest of the network that has most. So neither two addresses nor what only may be a proxy shut out others.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Middleware } from 'koa';
import { ConcurrencyLimit } from '#base/concurrency/concurrency-limit.ts';
import { addressGroup } from '#server/service/accounts/address-group.ts';
import type { State } from './request-context.ts';
import { countUntilSent } from './request-memory.ts';

export interface ConnectionLimit {
  /** Maximum open connections per network; 0 = unlimited. */
  readonly most: number;
  /** Maximum open connections of all networks together. */
  readonly all: number;
  /** Whether an address may be that of a reverse proxy, which is not limited. */
  readonly isProxy: (address: string) => boolean;
}

/** Connections beyond all, which are accepted while those whose place they take are closed. */
const CLOSING = 128;

/** Closes connections to `server` beyond the limit of their network, and those whose place others need. */
export function limitConnections(server: Server, { most, all, isProxy }: ConnectionLimit): void {
  /** By network, the oldest first. */
  const open = new Map<string, Set<Socket>>();
  const latest = new WeakMap<Socket, readonly [IncomingMessage, ServerResponse]>();
  let count = 0;
  server.maxConnections = all + CLOSING;
  server.prependListener('request', (request, response) => latest.set(request.socket, [request, response]));
  /** Whether nothing happens until the client sends something: a request, or the rest of it. */
  const waits = (socket: Socket) => {
    const [request, response] = latest.get(socket) ?? [];
    return !request?.complete || response?.writableFinished === true;
  };
  const makeRoom = () => {
    for (const [, sockets] of [...open].sort(([, a], [, b]) => b.size - a.size)) {
      for (const socket of sockets) if (!socket.destroyed && waits(socket)) return socket.destroy();
    }
  };
  server.prependListener('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const network = addressGroup(address);
    const own = open.get(network) ?? new Set();
    if (most > 0 && own.size >= most && !isProxy(address)) return void socket.destroy();
    open.set(network, own.add(socket));
    count += 1;
    socket.once('close', () => {
      count -= 1;
      own.delete(socket);
      if (own.size === 0) open.delete(network);
    });
    if (count > all) makeRoom();
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
