// Checks the API key of a request, before its body is read and before it is routed; and says who sent one, by key or session.

import type { Middleware } from 'koa';
import type { ConcurrencyLimit } from '#base/concurrency/concurrency-limit.ts';
import { NEVER } from '#base/concurrency/deadline.ts';
import { Gate } from '#base/concurrency/gate.ts';
import { AppError } from '#base/errors.ts';
import { addressGroup } from '#server/service/accounts/address-group.ts';
import type { Caller } from '#server/service/accounts/caller.ts';
import { type Right, requireAllTemplates, requireRight } from '#server/service/accounts/key-scope.ts';
import type { Keys } from '#server/service/accounts/keys.ts';
import type { RateLimit } from '#server/service/accounts/rate-limit.ts';
import type { Membership, Permit, SessionHolder } from '#server/service/stored-names.ts';
import { FairnessKeys } from './fairness-key.ts';
import type { Handler, RequestContext, State } from './request-context.ts';
import { countUntilSent } from './request-memory.ts';

/**
 * Concurrent key checks, in round robin over accounts and addresses. The database's answers arrive together: a thousand requests let
 * through at once would all be refused in one turn of the event loop, for a third of a second. The wait is not limited here:
 * connections limit how many requests wait, and clients how long.
 */
const ENTRANCE = { concurrency: 4, waiting: Number.POSITIVE_INFINITY, spare: 2 };

/**
 * Requires a valid key on the paths for which `isGuarded` returns true; where `takesBasic` does, it may be the password
 * of Basic authentication as well. Keys of suspended accounts are taken where `isEvenSuspended` returns true.
 *
 * An address that keeps sending invalid keys is answered 429. A valid key is accepted all the same: behind a proxy,
 * many clients have one address.
 */
export function requireKey(
  keys: Keys,
  badKeys: RateLimit,
  isGuarded: (path: string) => boolean,
  takesBasic: (path: string) => boolean = () => false,
  fairness: FairnessKeys = new FairnessKeys(),
  isEvenSuspended: (method: string, path: string) => boolean = () => false,
): Middleware<State> {
  const entrance = new Gate(ENTRANCE);
  return async (koa, next) => {
    if (isGuarded(koa.path)) {
      const header = koa.get('authorization');
      const token = bearerToken(header) ?? (takesBasic(koa.path) ? basicPassword(header) : null);
      if (token === null) throw noKey(header);
      const evenSuspended = isEvenSuspended(koa.method, koa.path);
      let isWhole = false;
      const authenticate = () => {
        isWhole = koa.req.complete;
        return keys.authenticate(token, evenSuspended);
      };
      const caller = await entrance.pass(NEVER, authenticate, fairness.of(koa.req, koa.ip)).catch((error) => {
        badKeys.take(addressGroup(koa.ip));
        throw error;
      });
      fairness.remember(koa.req, caller.accountId);
      koa.state.caller = caller;
      // Where the body had arrived with the head, the key was checked after both.
      if (!isWhole)
        koa.state.recheck = async () => Object.assign(caller, await keys.authenticate(token, evenSuspended));
      koa.state.permit = keys.permit(token, evenSuspended);
    }
    await next();
  };
}

/** Limits each account's requests with a valid key, per minute and at once; a request is under way until it is sent. */
export function limitRequests(rate: RateLimit, atOnce: ConcurrencyLimit): Middleware<State> {
  return async (koa, next) => {
    const { caller, isOwn = false } = koa.state;
    if (!caller || isOwn) return next();
    rate.take(caller.accountId);
    await countUntilSent(koa.res, atOnce, caller.accountId, next);
  };
}

/**
 * The authenticated caller; a member of an account, in the studio, is one like a live key that may do everything: the
 * route required the role.
 *
 * @throws AppError `unauthorized` where neither key nor membership was required, so that a mistake in the routes
 *   grants no access
 */
export function callerOf({ state }: RequestContext): Caller {
  if (state.caller) return state.caller;
  if (!state.member) throw new AppError('unauthorized', 'invalid or revoked API key');
  const { accountId, plan } = state.member;
  return { accountId, plan, kind: 'live', scope: null };
}

/**
 * The session of the caller. @throws AppError `unauthorized` where no session was required, so that a mistake in the
 * routes grants no access
 */
export function holderOf(koa: RequestContext): SessionHolder {
  if (!koa.state.session) throw new AppError('unauthorized', 'Nobody is signed in here: sign in.');
  return koa.state.session;
}

/** The caller's membership in the account that the request is about. @throws as `holderOf` */
export function memberOf(koa: RequestContext): Membership {
  if (!koa.state.member) throw new AppError('unauthorized', 'Nobody is signed in here: sign in.');
  return koa.state.member;
}

/** The account of the caller. @throws AppError `forbidden` for a key that is limited to some templates */
export function wholeAccountOf(koa: RequestContext): string {
  const caller = callerOf(koa);
  requireAllTemplates(caller);
  return caller.accountId;
}

/** Runs `handle` only for keys with one of these rights. */
export function may(right: Right | readonly Right[], handle: Handler): Handler {
  return (koa) => {
    requireRight(callerOf(koa), ...[right].flat());
    return handle(koa);
  };
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

/** RFC 7617: the password, whatever the user is called. */
function basicPassword(header: string): string | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header) ?? [];
  if (encoded === undefined || encoded.length > 1_000) return null;
  return /^[^:]*:([^\s,]+)$/.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1] ?? null;
}

/** RFC 6750; the scheme's name is case-insensitive (RFC 9110). */
function bearerToken(header: string): string | null {
  return /^bearer +([^\s,]+) *$/i.exec(header)?.[1] ?? null;
}

// Gives services a check of the sender's right, to be repeated in the transaction that does the work.

/**
 * Throws, in the transaction that does what the request asks, unless its sender may still do it.
 *
 * @throws AppError `unauthorized` where nobody's right was checked, so that a mistake in the routes grants no access
 */
export function permitOf(koa: RequestContext): Permit {
  if (koa.state.permit) return koa.state.permit;
  throw new AppError('unauthorized', 'Nobody is signed in here, and no API key was sent.');
}
