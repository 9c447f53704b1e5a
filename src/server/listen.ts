// Listens, says in a sentence why it cannot, and closes a server without cutting off what it answers.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '#base/errors.ts';
import type { Config } from '#server/config/config.ts';
import { createMetricsServer } from '#server/http/middleware/tracing.ts';
import type { Metrics } from '#server/observability/metrics.ts';

/**
 * Connections that may wait to be accepted; further attempts are dropped, and clients repeat them after a second. The
 * system may allow fewer (net.core.somaxconn). With Node's default of 511, many connections of one account cost another
 * account that second.
 */
const BACKLOG = 4_096;
/** How long a stop waits for running requests, jobs and webhooks, ms. */
export const DRAIN_TIME = 25_000;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Listens for the metrics, and returns the port. */
export async function listenForMetrics(metrics: Metrics, config: Config, port: number, parts: AsyncDisposableStack) {
  const server = createMetricsServer(metrics);
  parts.defer(() => void server.close().closeAllConnections());
  return (await listen(server, { ...config, port }, 'PLATEN_METRICS_PORT')).port;
}

/**
 * @param variable the one that sets the port
 * @throws AppError `conflict` naming what is wrong with the port or host
 */
export async function listen(server: Server, { port, host }: Config, variable = 'PORT'): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen({ port, host, backlog: BACKLOG }, resolve);
  try {
    await promise;
  } catch (cause) {
    const otherPort = (problem: string) => `Port ${port} of ${host} ${problem}. Set ${variable} to another one.`;
    const otherHost = (problem: string) =>
      `HOST is ${host}, ${problem}. Set it to an address of this machine, or to 0.0.0.0 for all of them.`;
    const sentence = {
      EADDRINUSE: otherPort('is in use'),
      EACCES: otherPort('may not be used by this user'),
      EADDRNOTAVAIL: otherHost('which is not an address of this machine'),
      ENOTFOUND: otherHost('a name that cannot be found'),
      EAI_AGAIN: otherHost('a name that cannot be found'),
    }[String(codeOf(cause))];
    if (sentence === undefined) throw cause;
    throw new AppError('conflict', sentence, { cause });
  }
  return server.address() as AddressInfo;
}

/** Stops accepting connections, lets running requests finish, and cuts off those that take too long. */
export async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection becomes idle when its last request is answered, and would otherwise be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_TIME);
  await closed;
  clearInterval(idle);
  clearTimeout(cutOff);
}
