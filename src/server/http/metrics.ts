// `/metrics` on a listener of its own, so that it is published only where the operator opens that port.

import { createServer, type Server } from 'node:http';
import type { Middleware } from 'koa';
import type { Counter, Metrics } from '#server/observability/metrics.ts';

/** Counts answers by status. */
export function countRequests(requests: Counter): Middleware {
  return async (koa, next) => {
    await next();
    requests.add({ status: koa.status });
  };
}

/** A server that answers only `GET /metrics`; not listening yet. */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(503).end(),
    );
  });
}
