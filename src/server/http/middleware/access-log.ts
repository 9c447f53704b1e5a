// Logs one line per request, without its query, headers or body: those may hold secrets, or the text of somebody's
// image.

import type { Middleware } from 'koa';
import type { Log } from '#server/observability/log.ts';
import type { State } from './request-context.ts';

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
