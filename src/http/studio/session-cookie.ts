// The cookie that a session is known by.
//
// `__Host-` (RFC 6265bis): a browser takes it from this very host alone, over https, or on the own machine. On an address
// of plain http there is no such cookie, and one without the prefix must do.

import { SESSION_LASTS } from '#service/people/sessions.ts';
import type { RequestContext } from '../request-context.ts';
import { type Address, isSecure } from './origin.ts';

const SECURE = '__Host-platen';
const PLAIN = 'platen';

/** Null when the request has none. */
export function sessionCookie(koa: RequestContext, address: Address): string | null {
  const found = (name: string) => koa.cookies.get(name, { signed: false }) ?? null;
  return found(SECURE) ?? (isSecure(koa, address) ? null : found(PLAIN));
}

export function setSessionCookie(koa: RequestContext, address: Address, token: string): void {
  write(koa, isSecure(koa, address), token, SESSION_LASTS / 1000);
}

export function clearSessionCookie(koa: RequestContext, address: Address): void {
  write(koa, isSecure(koa, address), '', 0);
}

function write(koa: RequestContext, secure: boolean, value: string, seconds: number): void {
  const cookie = `${secure ? SECURE : PLAIN}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  koa.append('set-cookie', secure ? `${cookie}; Secure` : cookie);
}
