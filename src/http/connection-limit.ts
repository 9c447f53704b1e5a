// Limits the open connections per client network, so that one client never takes all that the server accepts.
//
// Further connections are closed before anything is read from them: a client cannot be told more without spending on
// it what the limit is to save. Clients behind a proxy share its address, so a proxy is not limited.

import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';

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
    const network = networkOf(address);
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

/** The address itself; of IPv6 the /64 that it belongs to, since one client usually has all of it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...groups(tail)];
  return `${all.slice(0, 4).join(':')}::/64`;
}
