// Reads and writes the session cookie, that of a pending sign-in through the identity provider, and that of a known
// browser.
//
// With the prefix `__Host-` (RFC 6265bis), a browser accepts a cookie only from this same host, over https or on the
// own machine. On plain http such a cookie cannot be set, so one without the prefix is used.

import { CEREMONY_LASTS } from '#server/service/people/ceremonies.ts';
import { BROWSER_LASTS } from '#server/service/people/known-browsers.ts';
import { SESSION_LASTS } from '#server/service/people/sessions.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import { isSecure, type StudioAddress } from './origin.ts';

const SESSION = { secure: '__Host-platen', plain: 'platen' } as const;
const SIGN_IN = { secure: '__Host-platen-oidc', plain: 'platen-oidc' } as const;
/** By which a browser is known that somebody has signed in with. */
const BROWSER = { secure: '__Host-platen-browser', plain: 'platen-browser' } as const;
type Names = typeof SESSION | typeof SIGN_IN | typeof BROWSER;

/** Null when the request has none. */
export const sessionCookie = (koa: RequestContext, address: StudioAddress): string | null =>
  read(koa, address, SESSION);

export function setSessionCookie(koa: RequestContext, address: StudioAddress, token: string): void {
  write(koa, address, SESSION, token, SESSION_LASTS);
}

export function clearSessionCookie(koa: RequestContext, address: StudioAddress): void {
  write(koa, address, SESSION, '', 0);
}

/** Null when the request has none. */
export const signInCookie = (koa: RequestContext, address: StudioAddress): string | null => read(koa, address, SIGN_IN);

export function setSignInCookie(koa: RequestContext, address: StudioAddress, token: string): void {
  write(koa, address, SIGN_IN, token, token === '' ? 0 : CEREMONY_LASTS);
}

/** Null when the request has none. */
export const browserCookie = (koa: RequestContext, address: StudioAddress): string | null =>
  read(koa, address, BROWSER);

export function setBrowserCookie(koa: RequestContext, address: StudioAddress, token: string): void {
  write(koa, address, BROWSER, token, BROWSER_LASTS);
}

function read(koa: RequestContext, address: StudioAddress, { secure, plain }: Names): string | null {
  const found = (name: string) => koa.cookies.get(name, { signed: false }) ?? null;
  return found(secure) ?? (isSecure(koa, address) ? null : found(plain));
}

/** @param lasts ms */
function write(
  koa: RequestContext,
  address: StudioAddress,
  { secure, plain }: Names,
  value: string,
  lasts: number,
): void {
  const isHost = isSecure(koa, address);
  const cookie = `${isHost ? secure : plain}=${value}; Path=/; Max-Age=${lasts / 1000}; HttpOnly; SameSite=Lax`;
  koa.append('set-cookie', isHost ? `${cookie}; Secure` : cookie);
}
