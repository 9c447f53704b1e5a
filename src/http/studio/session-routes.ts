// Signing in and out, claiming the server, using links, and what somebody may see and change of themselves.

import { MIN_PASSWORD } from '#service/people/passwords.ts';
import type { NewSession, SessionHolder } from '#service/people/sessions.ts';
import type { Handler, RequestContext } from '../request-context.ts';
import { holderOf, requirePasswordTyped } from './guard.ts';
import { insecurity, whenceOf } from './origin.ts';
import { readSmall } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';
import type { StudioContext } from './studio-context.ts';

export function sessionRoutes(ctx: StudioContext) {
  /** What `GET /session` answers. */
  async function showSession(koa: RequestContext, holder: SessionHolder | null): Promise<object> {
    const { people, sessions } = ctx;
    const memberships = holder ? await people.memberships(holder.personId) : [];
    return {
      person: holder && { id: holder.personId, name: holder.name, email: holder.email },
      accounts: memberships.map(({ accountId, accountName, role, plan }) => ({
        ...{ id: accountId, name: accountName, role, plan },
      })),
      sudoUntil: (holder && sessions.confirmedUntil(holder)?.toISOString()) ?? null,
      claimed: holder !== null || (await people.isClaimed()),
      insecure: insecurity(koa, ctx.studioAddress()),
      minPassword: MIN_PASSWORD,
    };
  }

  /** Answers a person who has just shown who they are; the session they came with ends. */
  async function begin(koa: RequestContext, { token }: NewSession, status: 200 | 201): Promise<void> {
    const { session: before } = koa.state;
    if (before) await ctx.storage.sessions.end(before.personId, before.id);
    setSessionCookie(koa, ctx.studioAddress(), token);
    koa.status = status;
    koa.body = await showSession(koa, await ctx.sessions.find(token));
  }

  const whence = (koa: RequestContext) => whenceOf(koa, ctx.studioAddress());

  return {
    studioReadSession: async (koa) => {
      koa.body = await showSession(koa, koa.state.session ?? null);
    },
    studioSignIn: async (koa) => {
      const { email, password } = await readSmall(koa, Request.StudioSignIn);
      await begin(koa, await ctx.people.signIn(email, password, whence(koa)), 200);
    },
    studioSignOut: async (koa) => {
      const { personId, id } = holderOf(koa);
      await ctx.sessions.end(personId, id);
      clearSessionCookie(koa, ctx.studioAddress());
      koa.status = 204;
    },
    studioConfirmPassword: async (koa) => {
      const { password } = await readSmall(koa, Request.StudioPassword);
      await ctx.people.confirm(holderOf(koa), password);
      const until = ctx.sessions.confirmedUntil({ confirmedAt: ctx.clock() });
      koa.body = { sudoUntil: until?.toISOString() };
    },
    studioSetUp: async (koa) => {
      const { token, ...owner } = await readSmall(koa, Request.StudioSetup);
      await begin(koa, await ctx.links.claim(token, owner, whence(koa)), 201);
    },
    studioLookAtLink: async (koa) => {
      const { token } = await readSmall(koa, Request.StudioLinkToken);
      const { expiresAt, ...link } = await ctx.links.look(token);
      koa.body = { ...link, expiresAt: expiresAt.toISOString() };
    },
    studioUseLink: async (koa) => {
      const { email = null, name = null, ...wanted } = await readSmall(koa, Request.StudioLinkUse);
      await begin(koa, await ctx.links.accept({ ...wanted, email, name }, whence(koa)), 200);
    },

    studioReadMe: async (koa) => {
      koa.body = showMe(await ctx.people.find(holderOf(koa).personId));
    },
    studioChangeMe: async (koa) => {
      const holder = holderOf(koa);
      const change = await readSmall(koa, Request.StudioMeChange);
      if (change.email.toLowerCase() !== holder.email) requirePasswordTyped(ctx, holder);
      koa.body = showMe(await ctx.people.update(holder.personId, change));
    },
    studioChangePassword: async (koa) => {
      const { current, password } = await readSmall(koa, Request.StudioPasswordChange);
      await ctx.people.changePassword(holderOf(koa), current, password);
      koa.status = 204;
    },
    studioListSessions: async (koa) => {
      const holder = holderOf(koa);
      const list = await ctx.sessions.list(holder.personId);
      koa.body = {
        items: list.map(({ id, createdAt, lastUsedAt, expiresAt, address, agent }) => ({
          id,
          isCurrent: id === holder.id,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
          address,
          agent,
        })),
      };
    },
    studioEndOtherSessions: async (koa) => {
      await ctx.sessions.endOthers(holderOf(koa));
      koa.status = 204;
    },
    studioEndSession: async (koa) => {
      await ctx.sessions.end(holderOf(koa).personId, koa.params.sessionId ?? '');
      koa.status = 204;
    },
  } satisfies Record<string, Handler>;
}

const showMe = ({ id, name, email, createdAt }: { id: string; name: string; email: string; createdAt: Date }) => ({
  ...{ id, name, email },
  createdAt: createdAt.toISOString(),
});
