// Determines where a request comes from: the page that sent it, the IP address, and whether its connection is secure.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import type { AskingPage } from '#server/service/people/passkeys.ts';
import type { Whence } from '#server/service/people/sessions.ts';
import type { RequestContext } from '../middleware/request-context.ts';

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
/** Addresses of a reverse proxy: on this machine or in a private network. */
const PRIVATE = /^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)|^(::1|f[cd][0-9a-f]{2}:)/i;

export interface StudioAddress {
  /** The URL with which links begin. */
  readonly url: string;
  /** Whether it was configured, in which case there may be a proxy. */
  readonly isPublic: boolean;
}

/**
 * Admits a request that may change something only from a page of this same origin.
 *
 * @throws AppError `foreign_origin`
 */
export function requireOwnOrigin(koa: RequestContext, address: StudioAddress): void {
  const site = koa.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin') throw foreign(`the browser says that it comes from ${quote(site)}`);
  const origin = koa.get('origin');
  if (origin === '') throw foreign('it has no header Origin');
  const given = URL.parse(origin);
  const host = koa.get('host').toLowerCase();
  const own = new URL(address.url);
  // If the configured URL is https, pages of the same host over http are refused.
  const isOwn = given !== null && given.host === hostOf(host, given.protocol) && /^https?:$/.test(given.protocol);
  const isDowngraded = own.host === given?.host && address.isPublic && own.protocol !== given.protocol;
  if (!isOwn || isDowngraded) throw foreign(`it was sent by ${quote(origin)}`);
}

/** The Host header without its scheme's default port, as URL writes it. */
const hostOf = (host: string, protocol: string) => URL.parse(`${protocol}//${host}`)?.host ?? host;

const quote = (text: string) => quoted(text);
const foreign = (problem: string) =>
  new AppError('foreign_origin', `The studio takes changes from its own pages alone: ${problem}.`);

/** Whether browsers store `Secure` cookies for the address of the request. */
export function isSecure(koa: RequestContext, { url }: StudioAddress): boolean {
  const host = koa.get('host');
  const own = new URL(url);
  return (
    LOOPBACK.test(host) ||
    koa.get('origin').startsWith('https:') ||
    koa.get('x-forwarded-proto') === 'https' ||
    (own.protocol === 'https:' && own.host === hostOf(host.toLowerCase(), own.protocol))
  );
}

/** Describes why using the studio at this address is insecure; null when it is secure. */
export function insecurity(koa: RequestContext, address: StudioAddress): string | null {
  if (isSecure(koa, address)) return null;
  return 'This address is plain http: whoever is on the way can read passwords and sessions. Put a proxy with https before Platen and set PLATEN_PUBLIC_URL to its address.';
}

/** The host that a request is for; null when the header is missing or holds no host. */
export const hostAsked = (koa: RequestContext) => URL.parse(`http://${koa.get('host')}`);

/** Why browsers offer no passkeys at the address of a request; null when they do. */
export function noPasskeys(koa: RequestContext, address: StudioAddress): string | null {
  if (!isSecure(koa, address)) return 'Passkeys need https.';
  const asked = hostAsked(koa);
  if (asked === null) return 'Browsers bind passkeys to a name, and this request has none.';
  const { hostname, port } = asked;
  if (isIP(hostname.replace(/[[\]]/g, '')) === 0) return null;
  const isHere = LOOPBACK.test(hostname);
  const instead = isHere ? `open the studio at http://localhost:${port} instead` : 'open the studio by its name';
  return `Browsers bind passkeys to a name, and ${hostname} is not a name: ${instead}.`;
}

/** The page that sent a request, whose origin `requireOwnOrigin` has checked. @throws AppError `invalid_request` */
export function askingPage(koa: RequestContext, address: StudioAddress): AskingPage {
  const problem = noPasskeys(koa, address);
  if (problem) throw new AppError('invalid_request', problem);
  const { origin, hostname: host } = new URL(koa.get('origin'));
  return { origin, host };
}

/**
 * The IP address and browser of a request.
 *
 * A peer in a private network may be a proxy. Then the address is the last entry of X-Forwarded-For, which the proxy
 * added; earlier entries may be forged. It is certain only where a public URL is configured: otherwise the peer may be a
 * client that made the header up, and is counted too. With a public URL but without the header, all clients of a proxy
 * share its address.
 */
export function whenceOf(
  koa: { readonly req: IncomingMessage; get(name: string): string },
  { url, isPublic }: StudioAddress,
): Whence & { readonly proxy: string | null } {
  const peer = koa.req.socket.remoteAddress ?? '';
  const agent = koa.get('user-agent');
  const forwarded = koa.get('x-forwarded-for').split(',').at(-1)?.trim() ?? '';
  if (!PRIVATE.test(peer)) return { address: peer, agent, proxy: null };
  if (isIP(forwarded) !== 0) return { address: forwarded, agent, proxy: isPublic ? null : peer };
  const own = new URL(url);
  const isProxied = isPublic && hostOf(koa.get('host').toLowerCase(), own.protocol) === own.host;
  return { address: peer, agent, proxy: isProxied ? peer : null };
}

/** The address whose requests take turns together: the client's, or the peer's where the client may have made it up. */
export function clientOf(koa: RequestContext, address: StudioAddress): string {
  const { address: client, proxy } = whenceOf(koa, address);
  return proxy ?? client;
}

/** Whether a peer may be a reverse proxy: a public URL is configured, and the peer is on this machine or private. */
export const mayBeProxy = (peer: string, { isPublic }: Pick<StudioAddress, 'isPublic'>): boolean =>
  isPublic && PRIVATE.test(peer);

/** The client of a request that came through a configured proxy; null for any other. */
export function forwardedClient(req: IncomingMessage, address: StudioAddress): string | null {
  const peer = req.socket.remoteAddress ?? '';
  if (!mayBeProxy(peer, address)) return null;
  const { address: client } = whenceOf({ req, get: (name) => String(req.headers[name] ?? '') }, address);
  return client === peer ? null : client;
}
