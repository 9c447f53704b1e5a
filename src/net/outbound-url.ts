// A URL that a caller wrote in, where it points out, or a refusal before any socket is opened.
//
// The message of every refusal is the same; the reason is for the operator's log, or Platen would answer questions
// about the network that it stands in. What is wrong with the text alone may be explained to the caller.

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

/** A URL that is refused. */
export class UrlNotAllowed extends AppError {
  /**
   * A public sentence. It depends on the text of the URL and the configured ports alone: an address that is denied, a
   * name that leads to one and a name that does not resolve have the same one.
   */
  readonly explanation: string;

  /** @param reason for the log alone */
  constructor(reason: string, explanation: string, cause?: unknown) {
    super('url_not_allowed', 'URL not allowed.', { cause: new Error(reason, { cause }) });
    this.explanation = explanation;
  }
}

/** Of all that only the network, or a list of addresses, can tell. */
const UNREACHABLE_HOST =
  'Its host is no public one that can be found; check the spelling. Hosts of a private network are only reached if the operator lists them in PLATEN_ALLOW_PRIVATE_NETWORKS.';

/** The refusal; `reason` is for the log alone. */
export function notAllowed(reason: string, cause?: unknown, explanation = UNREACHABLE_HOST): UrlNotAllowed {
  return new UrlNotAllowed(reason, explanation, cause);
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
    if (isNearby) throw notAllowed(`name ${bare}`);
    throw misspelt(`port ${port}`, `Its port is ${port}; only ${policy.ports.join(', ')} are asked.`);
  }
  return { host: bare, port, address: null, internalOnly };
}

/**
 * Checks a URL as text. A name still has to be resolved, and its addresses judged, when the connection is made.
 *
 * @throws AppError `url_not_allowed`
 */
export function checkOutboundUrl(text: string, policy: OutboundPolicy): OutboundUrl {
  if (text.length > MAX_URL_LENGTH) throw misspelt('too long', `It is longer than ${MAX_URL_LENGTH} characters.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
  if (/[\u0000-\u0020\u007f\\]/.test(text)) {
    const explanation = 'It holds a space, a control character or a backslash; write a space as %20.';
    throw misspelt('white space, control character or backslash', explanation);
  }
  if (!/^https?:\/\/[^/]/i.test(text)) throw misspelt('not http or https', schemeExplanation(text));
  const url = URL.parse(text);
  if (/^https?:\/\/[^/?#]*@/i.test(text) || (url !== null && `${url.username}${url.password}` !== '')) {
    throw misspelt('user information', 'It holds a user name or a password before an @, which is not sent.');
  }
  if (url === null) throw misspelt('not a URL', 'It is not a URL; one looks like https://example.com/a.');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { url, destination: checkDestination(url.hostname, port, policy) };
}

const misspelt = (reason: string, explanation: string) => notAllowed(reason, undefined, explanation);

/** Of a text that does not begin with `http://` or `https://` and a host. */
function schemeExplanation(text: string): string {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(text) ?? [];
  if (/^https?$/i.test(scheme)) return `${scheme}: is followed by two slashes and a host: https://example.com/a.`;
  if (scheme !== '') return `Its scheme is ${JSON.stringify(`${scheme}:`)}; only http: and https: are fetched.`;
  return 'It does not begin with https://.';
}
