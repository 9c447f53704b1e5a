// Watches requests: gives each an id and a trace, counts it, and logs it in one line.
//
// The trace is taken from its headers or created, returned in the answer, and passed on to all work for the request.

import { createServer, type Server } from 'node:http';
import type { Middleware } from 'koa';
import { type Observer, observed } from '#base/trace.ts';
import type { Log } from '#server/observability/log.ts';
import type { MetricCounter, Metrics } from '#server/observability/metrics.ts';
import { readTrace } from '#server/observability/trace-context.ts';
import type { State } from './request-context.ts';

export function traceRequests(observer: Observer): Middleware {
  return async (koa, next) => {
    const trace = readTrace((name) => koa.get(name));
    koa.set('x-request-id', trace.requestId);
    await observed(observer, { kind: 'request', method: koa.method }, trace, next, () => {
      const { _matchedRoute: matched } = koa as { _matchedRoute?: unknown };
      const route = typeof matched === 'string' ? matched : null;
      const { method, status } = koa;
      return {
        name: route === null ? method : `${method} ${route}`,
        attributes: {
          'http.request.method': method,
          ...(route === null ? {} : { 'http.route': route }),
          'http.response.status_code': status,
          'platen.route_class': routeClass(method, route, status),
        },
      };
    });
  };
}

/**
 * Classes of routes for metrics, few enough to be a label, each with similar cost: by the pattern that the router
 * matched. A path in none of these is `manage` under `/v1/`, otherwise `other`.
 */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/renders$/, 'render'],
  [/^\/v1\/renders\/batch$/, 'batch'],
  [/^\/(v1\/screenshots$|forms\/chromium\/)/, 'screenshot'],
  [/\/render\.:ext$/, 'signed'],
  [/^\/v1\/templates\/:id\/(preview|layout)$/, 'preview'],
  [/^\/v1\/(images|fonts)$/, 'upload'],
  [/^\/(assets|images)\/:name$/, 'file'],
  [/^\/(healthz|readyz|metrics|health)$/, 'health'],
  [/^\/mcp$/, 'mcp'],
  [/^\/(v1\/)?studio\b/, 'studio'],
  [/^\/v1\//, 'manage'],
];

/** @param route the pattern; null = none matched */
function routeClass(method: string, route: string | null, status: number): string {
  // A job was accepted, of whatever kind: the work comes later.
  if (status === 202) return 'job';
  const found = CLASSES.find(([pattern]) => pattern.test(route ?? ''))?.[1] ?? 'other';
  const isListed = (found === 'upload' || found === 'render') && method !== 'POST';
  return isListed ? 'manage' : found;
}

// Logs one line per request, without its query, headers or body: those may hold secrets, or the text of somebody's
// image.

export function accessLog(log: Log): Middleware<State> {
  return async (koa, next) => {
    const start = performance.now();
    await next();
    log.info(
      {
        method: koa.method,
        path: koa.path.slice(0, 200),
        status: koa.status,
        ms: Math.round(performance.now() - start),
        account: koa.state.caller?.accountId,
      },
      'request',
    );
  };
}

// `/metrics` on a listener of its own, so that it is published only where the operator opens that port.

/** Counts answers by status. */
export function countRequests(requests: MetricCounter): Middleware {
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
