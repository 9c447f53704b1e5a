// Studio routes for signing in and out, claiming the server, using links, and a person's own data.

import { AppError } from '#base/errors.ts';
import { exportPerson } from '#server/service/accounts/export.ts';
import type { Passkey } from '#server/service/people/passkeys.ts';
import { MIN_PASSWORD } from '#server/service/people/passwords.ts';
import { normalEmail, type Person } from '#server/service/people/people.ts';
import type { NewSession, SessionHolder, Whence } from '#server/service/people/sessions.ts';
import { holderOf, permitOf } from '../middleware/authentication.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { sendExport } from '../v1/account.ts';
import { requirePasswordTyped } from './guard.ts';
import { askingPage, hostAsked, insecurity, noPasskeys, whenceOf } from './origin.ts';
import { readOptional, readSmall, requireTyped } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import {
  browserCookie,
  clearSessionCookie,
  setBrowserCookie,
  setSessionCookie,
  setSignInCookie,
  signInCookie,
} from './session-cookie.ts';
import type { StudioContext } from './studio-context.ts';

export function sessionRoutes(ctx: StudioContext) {
  /** The answer of `GET /session`. */
  async function showSession(koa: RequestContext, holder: SessionHolder | null): Promise<object> {
    const { people, sessions } = ctx;
    const memberships = holder ? await people.memberships(holder.personId) : [];
    return {
      person: holder && { id: holder.personId, name: holder.name, email: holder.email },
      accounts: memberships.map(({ accountId, accountName, role, plan }) => ({
        ...{ id: accountId, name: accountName, role, plan },
      })),
      sudoUntil: (holder && sessions.confirmedUntil(holder)) ?? null,
      claimed: holder !== null || (await people.isClaimed()),
      insecure: insecurity(koa, ctx.studioAddress()),
      minPassword: MIN_PASSWORD,
      noPasskeys: noPasskeys(koa, ctx.studioAddress()),
      provider: ctx.singleSignOn && { name: ctx.singleSignOn.provider.name },
      confirmBy: holder ? await waysToConfirm(koa, holder) : [],
    };
  }

  /** The ways in which a signed-in person can confirm their identity. */
  async function waysToConfirm(koa: RequestContext, { personId }: SessionHolder): Promise<readonly string[]> {
    const passkeys = noPasskeys(koa, ctx.studioAddress()) === null ? await ctx.passkeys.list(personId) : [];
    const hostname = hostAsked(koa)?.hostname;
    return [
      ...((await ctx.people.hasPassword(personId)) ? ['password'] : []),
      ...(passkeys.some(({ host }) => host === hostname) ? ['passkey'] : []),
      ...(ctx.singleSignOn ? ['provider'] : []),
    ];
  }

  /** Answers a person who has just confirmed their identity. */
  function showSudo(koa: RequestContext): void {
    koa.body = { sudoUntil: ctx.sessions.confirmedUntil({ confirmedAt: ctx.clock() }) };
  }

  const page = (koa: RequestContext) => askingPage(koa, ctx.studioAddress());

  /** @throws AppError `not_found` */
  function requireProvider() {
    if (ctx.singleSignOn) return ctx.singleSignOn;
    throw new AppError('not_found', 'No identity provider is configured here: PLATEN_OIDC_ISSUER names one.');
  }

  /** Begins a session for a person whose identity was just verified, and ends the session of the request. */
  async function begin(koa: RequestContext, { token }: NewSession, status: 200 | 201): Promise<void> {
    const { session: before } = koa.state;
    if (before) await ctx.storage.sessions.end(before.personId, before.id);
    setSessionCookie(koa, ctx.studioAddress(), token);
    koa.status = status;
    koa.body = await showSession(koa, await ctx.sessions.find(token));
  }

  function whence(koa: RequestContext): Whence {
    const address = ctx.studioAddress();
    const found = whenceOf(koa, address);
    if (found.proxy !== null) warnOfProxy(found.proxy, found.proxy === found.address);
    return { ...found, browser: browserCookie(koa, address) };
  }

  let isWarned = false;
  /** Once: the clients of such a proxy can lock each other out. */
  function warnOfProxy(proxy: string, isNameless: boolean): void {
    if (isWarned) return;
    isWarned = true;
    const mend = isNameless
      ? 'let the proxy set X-Forwarded-For'
      : 'set PLATEN_PUBLIC_URL to the address that clients use, if it is a proxy';
    ctx.log.warn({ proxy }, `a sign-in came through a peer that many clients may share: ${mend}`);
  }

  /** Begins a session for a person who has just shown or chosen a password, whose browser is known from now on. */
  async function beginByPassword(koa: RequestContext, session: NewSession, status: 200 | 201): Promise<void> {
    await begin(koa, session, status);
    const address = ctx.studioAddress();
    const token = await ctx.browsers.remember(session.session.personId, browserCookie(koa, address));
    setBrowserCookie(koa, address, token);
  }

  return {
    studioReadSession: async (koa) => {
      koa.body = await showSession(koa, koa.state.session ?? null);
    },
    studioSignIn: async (koa) => {
      const { email, password } = await readSmall(koa, Request.StudioSignIn);
      await beginByPassword(koa, await ctx.people.signIn(email, password, whence(koa)), 200);
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
      showSudo(koa);
    },
    studioAskForPasskey: async (koa) => {
      koa.body = await ctx.passkeys.askToSignIn(page(koa), whence(koa));
    },
    studioSignInByPasskey: async (koa) => {
      const answer = await readSmall(koa, Request.StudioPasskeyAnswer);
      await begin(koa, await ctx.passkeys.signIn(page(koa), answer, whence(koa)), 200);
    },
    studioAskAgainForPasskey: async (koa) => {
      koa.body = await ctx.passkeys.askAgain(holderOf(koa), page(koa), whence(koa));
    },
    studioConfirmByPasskey: async (koa) => {
      const answer = await readSmall(koa, Request.StudioPasskeyAnswer);
      await ctx.passkeys.confirm(holderOf(koa), page(koa), answer);
      showSudo(koa);
    },
    studioAskProvider: async (koa) => {
      const provider = requireProvider();
      const { again = false } = await readOptional(koa, Request.StudioProviderAsk);
      const { url: own, isPublic } = ctx.studioAddress();
      // Without a configured URL, the browser returns to the origin it is at, which has its cookie.
      const redirectUri = `${isPublic ? own : koa.get('origin')}/studio/oidc`;
      const { url, token } = await provider.start(redirectUri, again, whence(koa));
      setSignInCookie(koa, ctx.studioAddress(), token);
      koa.body = { url };
    },
    studioSignInByProvider: async (koa) => {
      const provider = requireProvider();
      const { query } = await readSmall(koa, Request.StudioProviderAnswer);
      const session = await provider.finish(
        query,
        signInCookie(koa, ctx.studioAddress()),
        koa.state.session?.personId ?? null,
        whence(koa),
      );
      setSignInCookie(koa, ctx.studioAddress(), '');
      await begin(koa, session, 200);
    },
    studioSetUp: async (koa) => {
      const { token, ...owner } = await readSmall(koa, Request.StudioSetup);
      await beginByPassword(koa, await ctx.links.claim(token, owner, whence(koa)), 201);
    },
    studioLookAtLink: async (koa) => {
      const { token } = await readSmall(koa, Request.StudioLinkToken);
      koa.body = await ctx.links.look(token);
    },
    studioUseLink: async (koa) => {
      const { email = null, name = null, ...wanted } = await readSmall(koa, Request.StudioLinkUse);
      const provider = ctx.singleSignOn?.provider.name ?? null;
      await beginByPassword(koa, await ctx.links.accept({ ...wanted, email, name }, whence(koa), provider), 200);
    },

    studioReadMe: async (koa) => {
      koa.body = showMe(await ctx.people.find(holderOf(koa).personId));
    },
    studioChangeMe: async (koa) => {
      const holder = holderOf(koa);
      const change = await readSmall(koa, Request.StudioMeChange);
      if (normalEmail(change.email) !== holder.email) {
        // Otherwise somebody could take another person's address, and the provider would sign that person in as them.
        if (ctx.singleSignOn) throw new AppError('forbidden', 'email: is what your identity provider knows you by.');
        requirePasswordTyped(ctx, holder);
      }
      koa.body = showMe(await ctx.people.update(holder.personId, change, permitOf(koa)));
    },
    studioExportMe: async (koa) => {
      const { personId } = holderOf(koa);
      await ctx.people.recordExport(personId, permitOf(koa));
      await sendExport(koa, exportPerson(ctx.exporting, personId));
    },
    studioDeleteMe: async (koa) => {
      const { personId, email } = holderOf(koa);
      await requireTyped(koa, email);
      await ctx.people.delete(personId, permitOf(koa));
      clearSessionCookie(koa, ctx.studioAddress());
      koa.status = 204;
    },
    studioChangePassword: async (koa) => {
      const holder = holderOf(koa);
      const { current, password } = await readSmall(koa, Request.StudioPasswordChange);
      if (await ctx.people.hasPassword(holder.personId)) {
        if (current === undefined) throw new AppError('invalid_request', 'current: type your present password');
        await ctx.people.changePassword(holder, current, password);
      } else {
        // There is no password to compare with: a recent sign-in by passkey or provider is required instead.
        requirePasswordTyped(ctx, holder);
        await ctx.people.setFirstPassword(holder, password);
      }
      koa.status = 204;
    },
    studioListPasskeys: async (koa) => {
      koa.body = { items: (await ctx.passkeys.list(holderOf(koa).personId)).map(showPasskey) };
    },
    studioAskForNewPasskey: async (koa) => {
      koa.body = await ctx.passkeys.askForNew(holderOf(koa), page(koa), whence(koa));
    },
    studioAddPasskey: async (koa) => {
      const { name, ...answer } = await readSmall(koa, Request.StudioNewPasskey);
      koa.status = 201;
      koa.body = showPasskey(await ctx.passkeys.add(holderOf(koa), page(koa), answer, name, permitOf(koa)));
    },
    studioRenamePasskey: async (koa) => {
      const { name } = await readSmall(koa, Request.StudioPasskeyName);
      koa.body = showPasskey(await ctx.passkeys.rename(holderOf(koa).personId, idOf(koa), name, permitOf(koa)));
    },
    studioRemovePasskey: async (koa) => {
      await ctx.passkeys.remove(holderOf(koa).personId, idOf(koa), permitOf(koa));
      koa.status = 204;
    },
    studioListSessions: async (koa) => {
      const holder = holderOf(koa);
      const list = await ctx.sessions.list(holder.personId);
      koa.body = {
        items: list.map(({ id, createdAt, lastUsedAt, expiresAt, address, agent }) => {
          return { id, isCurrent: id === holder.id, createdAt, lastUsedAt, expiresAt, address, agent };
        }),
      };
    },
    studioEndOtherSessions: async (koa) => {
      await ctx.sessions.endOthers(holderOf(koa), permitOf(koa));
      koa.status = 204;
    },
    studioEndSession: async (koa) => {
      await ctx.sessions.end(holderOf(koa).personId, idOf(koa), permitOf(koa));
      koa.status = 204;
    },
  } satisfies Record<string, Handler>;
}

const showPasskey = ({ id, name, host, createdAt, lastUsedAt }: Passkey) => {
  return { id, name, host, createdAt, lastUsedAt };
};

const showMe = ({ id, name, email, createdAt, verifiedAt }: Person) => {
  return { id, name, email, emailVerified: verifiedAt !== null, createdAt };
};
