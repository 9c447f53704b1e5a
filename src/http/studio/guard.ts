// Guards the studio's routes: checks the request's origin, session, role, and recent confirmation of identity.
//
// All of it is checked before the body is read.

import { AppError } from '#errors';
import { mayAct } from '#service/people/members.ts';
import type { Membership, SessionHolder } from '#service/studio-names.ts';
import type { Handler, RequestContext } from '../request-context.ts';
import type { StudioOperation } from './contract.ts';
import { requireOwnOrigin } from './origin.ts';
import { sessionCookie } from './session-cookie.ts';
import type { StudioContext } from './studio-context.ts';

/** Runs `handle` only for callers that the operation admits. */
export function guarded(ctx: StudioContext, operation: StudioOperation, handle: Handler): Handler {
  return async (koa) => {
    koa.set('cache-control', 'no-store');
    const address = ctx.studioAddress();
    if (/^bearer\b/i.test(koa.get('authorization'))) {
      throw new AppError('unauthorized', 'The studio takes sessions, not API keys: the API for keys is under /v1.');
    }
    if (operation.method !== 'get') requireOwnOrigin(koa, address);
    const holder = await ctx.sessions.find(sessionCookie(koa, address));
    if (holder) koa.state.session = holder;
    if (operation.access === 'open') return handle(koa);
    if (!holder) throw new AppError('unauthorized', 'Nobody is signed in here, or the session is over: sign in.');
    if (operation.access === 'person') {
      if (operation.sudo) requirePasswordTyped(ctx, holder);
      return handle(koa);
    }

    const { accountId = '' } = koa.params;
    const member = await ctx.people.membership(accountId, holder.personId);
    if (!member) throw new AppError('not_found', 'account not found');
    koa.state.member = member;
    if (!mayAct(member.role, operation.access)) {
      throw new AppError(
        'forbidden',
        `This takes the role ${operation.access}; yours is ${member.role}. Ask an owner.`,
      );
    }
    if (operation.sudo) requirePasswordTyped(ctx, holder);
    ctx.requestRate.take(accountId);
    await ctx.requestsAtOnce.run(accountId, async () => handle(koa));
  };
}

/** @throws AppError `password_needed` */
export function requirePasswordTyped({ sessions }: StudioContext, holder: SessionHolder): void {
  if (sessions.confirmedUntil(holder) !== null) return;
  throw new AppError('password_needed', 'Show that it is you to go on: type your password, or use a passkey.');
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
