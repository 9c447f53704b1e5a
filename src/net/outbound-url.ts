// A URL that a caller wrote in, where it points out, or a refusal before any socket is opened.
//
// Every refusal says the same to the caller; the reason is for the operator's log, or Platen would answer questions
// about the network that it stands in.

import { AppError } from '#errors';
import { type Address, type AddressPolicy, judgeAddress, parseAddress } from './address.ts';

export interface OutboundPolicy extends AddressPolicy {
  /** TCP ports that public hosts may be reached at; a network that is allowed by name is open on all. */
  readonly ports: readonly number[];
}

export const DEFAULT_PORTS: readonly number[] = [80, 443, 8080, 8443];

export interface Destination {
  /** A name in lower case without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The address when the host is a literal; null when it is a name that must be resolved. */
  readonly address: Address | null;
  /** Only the policy's exceptions may be what its name resolves to: the port or the name is none for the public. */
  readonly internalOnly: boolean;
}

export interface OutboundUrl {
  readonly url: URL;
  readonly destination: Destination;
}

const MAX_URL_LENGTH = 2048;
const MAX_NAME_LENGTH = 253;

/** Names that stand for something near (RFC 6761, 6762, 7686, 8375; `internal` by ICANN). */
const NEARBY_NAME = /(^|\.)(localhost|local|internal|home\.arpa|onion|invalid)$/;

/** The refusal; `reason` is for the log alone. */
export function notAllowed(reason: string, cause?: unknown): AppError {
  return new AppError('url_not_allowed', 'URL not allowed.', { cause: new Error(reason, { cause }) });
}

/**
 * Checks a host and port, from a URL or from a CONNECT request.
 *
 * @throws AppError `url_not_allowed`
 */
export function checkDestination(host: string, port: number, policy: OutboundPolicy): Destination {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host.toLowerCase().replace(/\.$/, '');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw notAllowed(`port ${port}`);
  const isOpenPort = policy.ports.includes(port);
  const address = parseAddress(bare);
  if (address !== null) {
    const verdict = judgeAddress(address, policy);
    if (verdict === 'denied') throw notAllowed(`address ${bare}`);
    if (verdict === 'public' && !isOpenPort) throw notAllowed(`port ${port}`);
    return { host: bare, port, address, internalOnly: verdict === 'internal' };
  }

  const labels = bare.split('.');
  // A last label that a resolver could take for part of an IPv4 address is none of a name (WHATWG "ends in a number").
  if (bare.length > MAX_NAME_LENGTH || labels.includes('') || /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) {
    throw notAllowed('malformed host');
  }
  if (/[^a-z0-9._-]/.test(bare)) throw notAllowed('malformed host');
  const isNearby = labels.length === 1 || NEARBY_NAME.test(bare);
  const internalOnly = isNearby || !isOpenPort;
  if (internalOnly && policy.allow.length === 0 && !policy.linkLocal) {
    throw notAllowed(isNearby ? `name ${bare}` : `port ${port}`);
  }
  return { host: bare, port, address: null, internalOnly };
}

/**
 * Checks a URL as text. A name still has to be resolved, and its addresses judged, when the connection is made.
 *
 * @throws AppError `url_not_allowed`
 */
export function checkOutboundUrl(text: string, policy: OutboundPolicy): OutboundUrl {
  if (text.length > MAX_URL_LENGTH) throw notAllowed('too long');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
  if (/[\u0000-\u0020\u007f\\]/.test(text)) throw notAllowed('white space, control character or backslash');
  if (!/^https?:\/\/[^/]/i.test(text)) throw notAllowed('not http or https');
  if (/^https?:\/\/[^/?#]*@/i.test(text)) throw notAllowed('user information');
  const url = URL.parse(text);
  if (url === null) throw notAllowed('not a URL');
  if (url.username !== '' || url.password !== '') throw notAllowed('user information');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { url, destination: checkDestination(url.hostname, port, policy) };
}
