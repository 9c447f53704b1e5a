// `/metrics` on a listener of its own, so that what is published is what an operator opens.

import { createServer, type Server } from 'node:http';
import type { Middleware } from 'koa';
import type { Counter, Metrics } from '#service/metrics.ts';

/** Counts answers by their status. */
export function countRequests(requests: Counter): Middleware {
  return async (koa, next) => {
    await next();
    requests.add({ status: koa.status });
  };
}

/** Answers `GET /metrics` and nothing else; not listening yet. */
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
