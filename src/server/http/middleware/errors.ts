// Turns errors into answers: a table of statuses, and one place that decides what a caller is told.
//
// The message of an AppError or ValidationError is sent to the caller verbatim. Any other error is a bug: it is logged
// with its stack, and the caller learns nothing about it.

import type { Context, Middleware } from 'koa';
import { AppError, type ErrorCode, OUR_FAULT } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import type { Log } from '#server/observability/log.ts';
import { isGotenbergPath, isStudioApi } from '../paths.ts';
import { isSignedPath } from '../v1/signed-renders.ts';
import { methodNotAllowed, notFound, type Route } from './unanswered.ts';

/** Does not compile while an error code has no status. */
const STATUS = {
  invalid_request: 400,
  url_not_allowed: 400,
  unauthorized: 401,
  quota_exceeded: 402,
  bad_signature: 403,
  forbidden: 403,
  suspended: 403,
  foreign_origin: 403,
  password_needed: 403,
  password_wrong: 403,
  link_invalid: 403,
  sign_in_refused: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  changed: 412,
  too_large: 413,
  range_not_satisfiable: 416,
  key_reused: 422,
  precondition_required: 428,
  rate_limited: 429,
  render_failed: 500,
  file_damaged: 500,
  overloaded: 503,
  no_browser: 503,
} as const satisfies Record<ErrorCode, number>;

/**
 * Answers errors thrown by the layers below, and requests that they left unanswered: as JSON, or as plain text on the
 * paths of signed URLs and of Gotenberg.
 *
 * @param routes what the server answers, to name the nearest
 */
export function errorBoundary(log: Log, routes: readonly Route[] = []): Middleware {
  return async (koa, next) => {
    try {
      await next();
      if (koa.body == null && koa.status >= 400) throw unanswered(koa, routes);
    } catch (error) {
      const known = expected(error);
      if (!known) log.error({ err: error }, 'request failed');
      else if (known.cause !== undefined) log.warn({ err: known.cause, code: known.code }, 'request refused');

      koa.status = known ? STATUS[known.code] : 500;
      koa.set('cache-control', 'no-store');
      if (known?.retryAfter != null) koa.set('retry-after', String(known.retryAfter));
      const isStudio = isStudioApi(koa.path);
      if (known?.code === 'unauthorized' && !isStudio) koa.set('www-authenticate', 'Bearer');
      const message = known?.message ?? OUR_FAULT;
      if (isSignedPath(koa.path) || isGotenbergPath(koa.path)) {
        koa.type = 'text/plain; charset=utf-8';
        koa.body = `${message}\n`;
      } else {
        // The studio acts on codes: for instance, it asks for the password and repeats the request.
        koa.body = isStudio
          ? { error: message, code: known?.code ?? 'internal', ...known?.details }
          : { error: message };
      }
    }
  };
}

function expected(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof ValidationError) return new AppError('invalid_request', error.message);
  return null;
}

/** The error for a request that matched no route, or no method of a route. */
function unanswered({ status, method, path, response }: Context, routes: readonly Route[]): AppError {
  if (status === STATUS.method_not_allowed) return methodNotAllowed(method, path, response.get('allow'), routes);
  return notFound(method, path, routes);
}
