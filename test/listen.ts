// Servers of tests, on a free port of a loopback address.

import { once } from 'node:events';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';

/** Disposing of it also ends the connections that are open, of HTTP. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
}

export async function listen(server: Server | HttpServer, host = '127.0.0.1', port = 0): Promise<Listening> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://${host}:${address.port}`,
    async [Symbol.asyncDispose]() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const serve = (answer: RequestListener, host?: string): Promise<Listening> => listen(createServer(answer), host);

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  await using server = await listen(createTcpServer());
  return server.port;
}
