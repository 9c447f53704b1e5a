// The API key of a request, checked before its body is read and before its path is looked at.

import type { Middleware } from 'koa';
import { AppError } from '#errors';
import type { ConcurrencyLimit } from '#service/concurrency-limit.ts';
import type { Caller, Keys } from '#service/keys.ts';
import type { RateLimit } from '#service/rate-limit.ts';
import { Gate } from '../gate.ts';
import type { RequestContext, State } from './request-context.ts';

/**
 * Keys that are checked at the same time, keys in turn. The database's answers come together: a thousand requests that
 * it lets go on at once would be refused in one turn of the thread, for a third of a second.
 */
const ENTRANCE = { concurrency: 4, waiting: Number.POSITIVE_INFINITY, spare: 2 };
/** Who waits is bounded by the number of connections, and for how long by their clients. */
const NEVER = new AbortController().signal;

/**
 * Lets a request pass with a valid key only where `isGuarded` says that its path needs one.
 *
 * An address that keeps sending keys that are none is answered 429. A valid key is let in all the same: behind a proxy,
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

/** Holds each account to so many requests a minute, and at once, counting those with a valid key. */
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

/** Whoever sent the request. @throws AppError `unauthorized` where no key was asked for, so that a mistake stays shut */
export function callerOf(koa: RequestContext): Caller {
  if (!koa.state.caller) throw new AppError('unauthorized', 'invalid or revoked API key');
  return koa.state.caller;
}

/** What is missing from a request without a key: nothing of a key that is wrong is told. */
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
