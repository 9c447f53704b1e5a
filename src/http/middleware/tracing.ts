// Gives each request an id and a trace: taken from its headers or created, returned in the answer, and passed on to all
// work for the request.

import type { Middleware } from 'koa';
import { type Observer, observed } from '#observability/trace.ts';
import { readTrace } from '#observability/trace-context.ts';
import { routeClass } from './route-class.ts';

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
