// Runs a local webhook receiver that keeps the requests it gets.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Received[];
  /** Waits for the first `count` requests. */
  received(count: number): Promise<readonly Received[]>;
}

/** @param status the status of its answers; `location` is the target of a redirect */
export async function receiver(status: () => number = () => 204, location?: string): Promise<Receiver> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status(), location === undefined ? {} : { location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    received: (count) =>
      vi.waitFor(
        () => {
          if (requests.length < count) throw new Error(`${requests.length} of ${count} webhooks came`);
          return requests;
        },
        { timeout: 10_000, interval: 20 },
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
