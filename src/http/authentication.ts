// Checks the API key of a request, before its body is read and before it is routed.

import type { Middleware } from 'koa';
import { AppError } from '#errors';
import type { ConcurrencyLimit } from '#service/concurrency-limit.ts';
import type { Caller, Keys } from '#service/keys.ts';
import type { RateLimit } from '#service/rate-limit.ts';
import { Gate } from '../gate.ts';
import type { RequestContext, State } from './request-context.ts';

/**
 * Concurrent key checks, in round robin over keys. The database's answers arrive together: a thousand requests let
 * through at once would all be refused in one turn of the event loop, for a third of a second.
 */
const ENTRANCE = { concurrency: 4, waiting: Number.POSITIVE_INFINITY, spare: 2 };
/** The wait is not limited here: connections limit how many requests wait, and clients how long. */
const NEVER = new AbortController().signal;

/**
 * Requires a valid key on the paths for which `isGuarded` returns true.
 *
 * An address that keeps sending invalid keys is answered 429. A valid key is accepted all the same: behind a proxy,
 * many clients have one address.
 */
export function requireKey(keys: Keys, badKeys: RateLimit, isGuarded: (path: string) => boolean): Middleware<State> {
  const entrance = new Gate(ENTRANCE);
  return async (koa, next) => {
    if (isGuarded(koa.path)) {
      const header = koa.get('authorization');
      const token = bearerToken(header);
      if (token === null) throw noKey(header);
      const authenticate = () => keys.authenticate(token);
      koa.state.caller = await entrance.pass(NEVER, authenticate, token).catch((error) => {
        badKeys.take(koa.ip);
        throw error;
      });
    }
    await next();
  };
}

/** Limits each account's requests with a valid key, per minute and at once. */
export function limitRequests(
  rate: RateLimit,
  atOnce: ConcurrencyLimit,
  isCounted: (path: string) => boolean = () => true,
): Middleware<State> {
  return async (koa, next) => {
    const { caller } = koa.state;
    if (!caller || !isCounted(koa.path)) return next();
    rate.take(caller.accountId);
    await atOnce.run(caller.accountId, next);
  };
}

/**
 * The authenticated caller. @throws AppError `unauthorized` where no key was required, so that a mistake in the routes
 * grants no access
 */
export function callerOf(koa: RequestContext): Caller {
  if (!koa.state.caller) throw new AppError('unauthorized', 'invalid or revoked API key');
  return koa.state.caller;
}

/** Says what is wrong with the header. Nothing is said about a key that is given but wrong. */
function noKey(header: string): AppError {
  const problem =
    header.trim() === ''
      ? 'the request has no header Authorization'
      : /^bearer\s*$/i.test(header)
        ? 'there is no key after Bearer'
        : /^bearer\s/i.test(header)
          ? 'what follows Bearer is not one key'
          : 'the header Authorization does not begin with Bearer';
  const mend = 'send "Authorization: Bearer plt_live_…"';
  return new AppError('unauthorized', `invalid or revoked API key: ${problem}; ${mend}`);
}

/** RFC 6750; the scheme's name is case-insensitive (RFC 9110). */
function bearerToken(header: string): string | null {
  return /^bearer +([^\s,]+) *$/i.exec(header)?.[1] ?? null;
}
