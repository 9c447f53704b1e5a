// Checks URLs from callers, and refuses before any socket is opened.
//
// The message of every refusal is the same, and the reason goes to the operator's log: otherwise callers could probe
// the network that Platen runs in. Only errors in the text itself may be explained to the caller.

import { AppError } from '#base/errors.ts';
import { type Address, type AddressPolicy, judgeAddress, localKind, parseAddress } from './address.ts';

export interface OutboundPolicy extends AddressPolicy {
  /** TCP ports allowed at public hosts; explicitly allowed networks are open on all ports. */
  readonly ports: readonly number[];
}

export const DEFAULT_PORTS: readonly number[] = [80, 443, 8080, 8443];

export interface Destination {
  /** A name in lower case without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The address when the host is a literal; null for a name that must be resolved. */
  readonly address: Address | null;
  /**
   * Whether the name may only resolve to addresses allowed by the policy's exceptions, because its port or name is not
   * a public one.
   */
  readonly internalOnly: boolean;
  /** The public sentence when the name does not resolve, or to no allowed address. It depends only on the text. */
  readonly explanation: string;
}

export interface OutboundUrl {
  readonly url: URL;
  readonly destination: Destination;
}

const MAX_URL_LENGTH = 2048;
const MAX_NAME_LENGTH = 253;

/** Names that stand for local hosts (RFC 6761, 6762, 7686, 8375; `internal` by ICANN). */
const NEARBY_NAME = /(^|\.)(localhost|local|internal|home\.arpa|onion|invalid)$/;

/** A refused URL. */
export class UrlNotAllowed extends AppError {
  /**
   * A public sentence. It depends only on the text of the URL and the configured ports: a name that resolves to a denied
   * address, and a name that does not resolve, have the same sentence.
   */
  readonly explanation: string;
  /** Whether the text has no scheme and host, so that no URL was meant by it, allowed or denied. */
  readonly isMalformed: boolean;

  /**
   * @param reason for the log only
   */
  constructor(reason: string, explanation: string, cause?: unknown, isMalformed = false) {
    super('url_not_allowed', 'URL not allowed.', { cause: new Error(reason, { cause }) });
    this.explanation = explanation;
    this.isMalformed = isMalformed;
  }

  /** The same with its explanation in the message, for whoever is to know it. */
  explained(): AppError {
    return new AppError('url_not_allowed', `${this.message} ${this.explanation}`, { cause: this.cause });
  }
}

/** For refusals that depend on the network or the lists of addresses. */
const UNREACHABLE_HOST =
  'Its host cannot be found on the public internet; check the spelling. Hosts of a private network are reached only if the operator lists them in PLATEN_ALLOW_PRIVATE_NETWORKS.';

/** For a URL whose text names the server's own machine, or an address of a private network. */
function localHost(host: string, kind: 'loopback' | 'private'): string {
  const what = kind === 'loopback' ? 'the server’s own machine' : 'an address of a private network';
  const how =
    kind === 'loopback'
      ? `setting PLATEN_ALLOW_PRIVATE_NETWORKS to ${loopbackOf(host)}`
      : 'listing its network in PLATEN_ALLOW_PRIVATE_NETWORKS';
  return `Its host is ${what}. Whoever runs the server can allow it, for development for example, by ${how}.`;
}
const loopbackOf = (host: string) => (host === '::1' ? '::1/128' : '127.0.0.0/8');

/** For a port that no public host is asked on. */
const closedPort = (port: number, { ports }: OutboundPolicy) =>
  `Its port is ${port}; public hosts are only asked on ${ports.join(', ')}. Whoever runs the server can allow more by PLATEN_OUTBOUND_PORTS.`;

/** Makes the refusal; `reason` is for the log only. */
export function notAllowed(reason: string, cause?: unknown, explanation = UNREACHABLE_HOST): UrlNotAllowed {
  return new UrlNotAllowed(reason, explanation, cause);
}

/** For `localhost`, where none of its addresses is allowed. */
export function notLoopback(host: string): UrlNotAllowed {
  return notAllowed(`name ${host}`, undefined, localHost(host, 'loopback'));
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
    if (verdict === 'denied') {
      const kind = localKind(address);
      throw notAllowed(`address ${bare}`, undefined, kind === null ? UNREACHABLE_HOST : localHost(bare, kind));
    }
    if (verdict === 'public' && !isOpenPort) throw notAllowed(`port ${port}`, undefined, closedPort(port, policy));
    return { host: bare, port, address, internalOnly: verdict === 'internal', explanation: UNREACHABLE_HOST };
  }

  const labels = bare.split('.');
  // A name's last label must not look like part of an IPv4 address to a resolver (WHATWG "ends in a number").
  if (bare.length > MAX_NAME_LENGTH || labels.includes('') || /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) {
    throw notAllowed('malformed host');
  }
  if (/[^a-z0-9._-]/.test(bare)) throw notAllowed('malformed host');
  const isNearby = labels.length === 1 || NEARBY_NAME.test(bare);
  const internalOnly = isNearby || !isOpenPort;
  if (internalOnly && policy.allow.length === 0 && !policy.linkLocal) {
    if (bare === 'localhost') throw notLoopback(bare);
    if (isNearby) throw notAllowed(`name ${bare}`);
    throw notAllowed(`port ${port}`, undefined, closedPort(port, policy));
  }
  const explanation = isNearby || isOpenPort ? UNREACHABLE_HOST : closedPort(port, policy);
  return { host: bare, port, address: null, internalOnly, explanation };
}

/**
 * Checks a URL's text. Its name is resolved, and the addresses checked, when the connection is made.
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
  if (!/^https?:\/\/[^/]/i.test(text)) throw otherScheme(text);
  const url = URL.parse(text);
  if (/^https?:\/\/[^/?#]*@/i.test(text) || (url !== null && `${url.username}${url.password}` !== '')) {
    throw misspelt('user information', 'It holds a user name or a password before an @, which is not sent.');
  }
  if (url === null) throw misspelt('not a URL', 'It is not a URL; one looks like https://example.com/a.');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { url, destination: checkDestination(url.hostname, port, policy) };
}

const misspelt = (reason: string, explanation: string) => notAllowed(reason, undefined, explanation);

/** For a text that does not begin with `http://` or `https://` and a host. */
function otherScheme(text: string): UrlNotAllowed {
  const malformed = (explanation: string) => new UrlNotAllowed('no scheme and host', explanation, undefined, true);
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(text) ?? [];
  if (/^https?$/i.test(scheme))
    return malformed(`${scheme}: is followed by two slashes and a host: https://example.com/a.`);
  // A host with its port: `example.com:8080/a`.
  const isHost = /^(localhost|[^:.]*\.[^:]*):\d{1,5}(\/|$)/i.test(text);
  if (scheme !== '' && !isHost) {
    return misspelt(
      'not http or https',
      `Its scheme is ${JSON.stringify(`${scheme}:`)}; only http: and https: are fetched.`,
    );
  }
  return malformed(
    'It does not begin with https:// or http://; write the whole address, such as https://example.com/a.',
  );
}
