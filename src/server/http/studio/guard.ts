// Guards the studio's routes: checks the request's origin, session, role, and recent confirmation of identity.
//
// All of it is checked before the body is read. Session and role are checked again once it has arrived, and in the
// transaction that does what the request asks (`permitOf`).

import { AppError } from '#base/errors.ts';
import { requireActive } from '#server/service/accounts/accounts.ts';
import { addressGroup } from '#server/service/accounts/address-group.ts';
import { requireConfirmed, requireRole, requireStudioRight, type StudioRight } from '#server/service/people/rights.ts';
import { sessionOver } from '#server/service/people/sessions.ts';
import type { MemberRole, Permit, SessionHolder } from '#server/service/stored-names.ts';
import { holderOf, memberOf } from '../middleware/authentication.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { countUntilSent } from '../middleware/request-memory.ts';
import { isRole } from '../v1/operation.ts';
import type { NamedOperation } from './contract.ts';
import { admitEmbedded, editorTokenOf } from './embedded.ts';
import type { Pacing } from './fair-pacing.ts';
import { clientOf, requireOwnOrigin } from './origin.ts';
import { sessionCookie } from './session-cookie.ts';
import type { StudioContext } from './studio-context.ts';

/** Runs `handle` only for callers that the operation admits. */
export function guarded(
  ctx: StudioContext,
  { fairness, turns }: Pacing,
  operation: NamedOperation,
  handle: Handler,
): Handler {
  return async (koa) => {
    koa.set('cache-control', 'no-store');
    const address = ctx.studioAddress();
    const editorToken = editorTokenOf(koa);
    if (editorToken !== null) return admitEmbedded(ctx, { fairness, turns }, operation, koa, editorToken, handle);
    if (/^bearer\b/i.test(koa.get('authorization'))) {
      throw new AppError('unauthorized', 'The studio takes sessions, not API keys: the API for keys is under /v1.');
    }
    if (operation.method !== 'get') requireOwnOrigin(koa, address);
    if (operation.access === 'editor-token') {
      throw new AppError('unauthorized', 'This takes the token of an embedded editor, as a bearer.');
    }
    const client = clientOf(koa, address);
    const cookie = sessionCookie(koa, address);
    const find = () => ctx.sessions.find(cookie);
    const holder = cookie === null ? null : await turns.enter(fairness.of(koa.req, client), find);
    if (holder) {
      koa.state.session = holder;
      fairness.remember(koa.req, holder.personId);
    }
    const take = (whose: string) => turns.take(koa, operation, whose, () => handle(koa));
    if (operation.access === 'open') return take(holder?.personId ?? addressGroup(client));
    if (!holder) throw sessionOver();
    const isConfirmed = operation.sudo;
    if (operation.access === 'person') {
      if (isConfirmed) requirePasswordTyped(ctx, holder);
      permit(ctx, koa, { session: holder, role: null, isConfirmed });
      return take(holder.personId);
    }

    if (!isRole(operation.access)) throw new Error(`${operation.id} has no role.`);
    const { accountId = '' } = koa.params;
    const member = await turns.enter(holder.personId, () => ctx.people.membership(accountId, holder.personId));
    const least = operation.access;
    requireRole(member?.role ?? null, least);
    if (member) koa.state.member = member;
    const evenSuspended = operation.evenSuspended;
    if (!evenSuspended) requireActive(member?.suspendedBy ?? null);
    if (isConfirmed) requirePasswordTyped(ctx, holder);
    permit(ctx, koa, { session: holder, role: { accountId, least }, isConfirmed, evenSuspended });
    ctx.requestRate.take(accountId);
    await countUntilSent(koa.res, ctx.requestsAtOnce, accountId, () => take(accountId));
  };
}

function permit(ctx: StudioContext, koa: RequestContext, right: StudioRight): void {
  const ask: Permit = (stores) => requireStudioRight(stores, right, ctx.clock());
  koa.state.permit = ask;
  koa.state.recheck = () => ask(ctx.storage);
}

/** Requires more of the request from now on, as its body asks for more. @throws AppError `forbidden` */
export function requireMore(
  ctx: StudioContext,
  koa: RequestContext,
  more: { least: MemberRole; isConfirmed: boolean },
): void {
  const { accountId, role } = memberOf(koa);
  requireRole(role, more.least);
  if (more.isConfirmed) requirePasswordTyped(ctx, holderOf(koa));
  const { least, isConfirmed } = more;
  permit(ctx, koa, { session: holderOf(koa), role: { accountId, least }, isConfirmed });
}

/** @throws AppError `password_needed` */
export function requirePasswordTyped({ clock }: StudioContext, holder: SessionHolder): void {
  requireConfirmed(holder, clock());
}
