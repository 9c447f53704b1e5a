// Serves one handler of files, without the rest of the server.

import Koa from 'koa';
import { errorBoundary } from '#server/http/middleware/errors.ts';
import type { RequestContext } from '#server/http/middleware/request-context.ts';
import { createLog } from '#server/observability/log.ts';
import { serve } from '../../listen.ts';

export async function served(handle: (koa: RequestContext) => unknown) {
  const app = new Koa();
  app.use(errorBoundary(createLog('silent')));
  app.use((koa) => handle(koa as RequestContext));
  const server = await serve(app.callback());
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
  return { ...server, get };
}
