// Runs a local webhook receiver that keeps the requests it gets.

import type { IncomingHttpHeaders } from 'node:http';
import { vi } from 'vitest';
import { serve } from './listen.ts';

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
  const server = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status(), location === undefined ? {} : { location }).end();
    });
  });
  return {
    url: `${server.url}/hook`,
    requests,
    received: (count) =>
      vi.waitFor(
        () => {
          if (requests.length < count) throw new Error(`${requests.length} of ${count} webhooks came`);
          return requests;
        },
        { timeout: 10_000, interval: 20 },
      ),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
