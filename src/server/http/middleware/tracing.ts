// Gives each request an id and a trace: taken from its headers or created, returned in the answer, and passed on to all
// work for the request.

import type { Middleware } from 'koa';
import { type Observer, observed } from '#base/trace.ts';
import { readTrace } from '#server/observability/trace-context.ts';

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
