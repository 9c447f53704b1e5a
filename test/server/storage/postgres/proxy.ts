// A proxy to a local TCP port that can cut its connections, or stay silent.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /**
   * `open` forwards everything; `cut` resets connections and refuses new ones; `silent` accepts all and answers
   * nothing.
   */
  set(state: 'open' | 'cut' | 'silent'): void;
}

export async function proxyTo(port: number): Promise<Proxy> {
  let state: 'open' | 'cut' | 'silent' = 'open';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (state === 'cut') return void incoming.resetAndDestroy();
    const outgoing = keep(connect(port, '127.0.0.1'));
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (state === 'open') to.write(bytes);
      });
      from.on('close', () => to.destroy());
    };
    pass(incoming, outgoing);
    pass(outgoing, incoming);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    set(next) {
      // Bytes that were swallowed while silent are lost, so their connections cannot go on.
      if (next === 'cut' || state === 'silent') reset();
      state = next;
    },
    async [Symbol.asyncDispose]() {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}
