// The outbound guard: opens every connection to a host that a caller, a template or a page names.
//
// A URL or host passes the rules for its text, its name is resolved, and every address is checked. The socket is then
// connected to one of the checked addresses, so nothing can change between check and use.

import { Resolver } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { endsWithin, resultWithin } from '#base/concurrency/deadline.ts';
import { type Address, formatAddress, judgeAddress, parseAddress } from './address.ts';
import { dial, MAX_TRIED } from './dial.ts';
import { dialThrough, type OutboundProxy } from './outbound-proxy.ts';
import {
  checkDestination,
  checkOutboundUrl,
  type Destination,
  notAllowed,
  notLoopback,
  type OutboundPolicy,
  type OutboundUrl,
} from './outbound-url.ts';

export class Guard {
  readonly #policy: OutboundPolicy;
  readonly #resolver: NameResolver;
  readonly #proxy: OutboundProxy | null;

  /** @param proxy the operator's, through which public hosts are reached; networks of the policy are reached directly */
  constructor(policy: OutboundPolicy, resolver: NameResolver = new DnsResolver(), proxy: OutboundProxy | null = null) {
    this.#policy = policy;
    this.#resolver = resolver;
    this.#proxy = proxy;
  }

  /**
   * Applies only the rules for a URL's text, without using the network.
   *
   * @throws AppError `url_not_allowed`
   */
  check(url: string): OutboundUrl {
    return checkOutboundUrl(url, this.#policy);
  }

  /**
   * As `check`, for a URL to which a server redirects. The refusal's sentence is always the same: what a server answers
   * may be known to nobody but us.
   *
   * @throws AppError `url_not_allowed`
   */
  checkRedirect(url: string): OutboundUrl {
    try {
      return this.check(url);
    } catch (error) {
      throw notAllowed('a redirect', error);
    }
  }

  /**
   * Applies every rule, including those for the addresses of the name. The name is resolved and checked again when the
   * connection is made: this only refuses before any work is done.
   *
   * @throws AppError `url_not_allowed` when it is denied or cannot be resolved
   */
  async admit(url: string): Promise<void> {
    await this.#judged(this.check(url).destination);
  }

  /**
   * As `admit`, for a URL that is requested later. A name that is not resolved within `patience` ms, or not at all, is
   * accepted, since it is checked again later.
   *
   * @throws AppError `url_not_allowed` when it is denied
   */
  async foresee(url: string, patience: number): Promise<void> {
    const { destination } = this.check(url);
    const isNamed = destination.address === null && !isLoopbackName(destination.host);
    const addresses = this.#addresses(destination);
    const asked = isNamed ? addresses.catch(() => []) : addresses;
    this.#judge(destination, (await endsWithin(patience, asked)) ? await asked : []);
  }

  /**
   * Opens a TCP connection to a host that passes every rule.
   *
   * @param host a name, or an address with or without brackets
   * @throws AppError `url_not_allowed` when it is denied or cannot be resolved; Error when it does not answer
   */
  async connect(host: string, port: number, signal?: AbortSignal): Promise<Socket> {
    const destination = checkDestination(host, port, this.#policy);
    const addresses = await this.#judged(destination);
    const beyond = addresses.filter((address) => judgeAddress(address, this.#policy) === 'public');
    if (this.#proxy === null || beyond.length < addresses.length) return dial(addresses, port, signal);
    // Without addresses, the proxy resolves the name.
    const targets = addresses.length === 0 ? [destination.host] : beyond.slice(0, MAX_TRIED).map(formatAddress);
    let failure: unknown;
    for (const target of targets) {
      try {
        return await dialThrough(this.#proxy, target, port, signal);
      } catch (error) {
        failure = error;
        if (signal?.aborted) break;
      }
    }
    throw failure;
  }

  /** Resolves a destination and returns its addresses if all of them are allowed. */
  async #judged(destination: Destination): Promise<readonly Address[]> {
    const addresses = await this.#addresses(destination);
    this.#judge(destination, addresses);
    return addresses;
  }

  #judge({ host, internalOnly, explanation }: Destination, addresses: readonly Address[]): void {
    for (const address of addresses) {
      const verdict = judgeAddress(address, this.#policy);
      if (verdict === 'denied' || (internalOnly && verdict !== 'internal')) {
        throw notAllowed(`${host} resolves to ${address.join('.')}`, undefined, explanation);
      }
    }
  }

  /** Empty for a name that the proxy resolves. */
  async #addresses({ host, address, internalOnly, explanation }: Destination): Promise<readonly Address[]> {
    if (address !== null) return [address];
    if (isLoopbackName(host)) return this.#loopback(host);
    // A name or port of a private network is no matter of the proxy.
    if (this.#proxy?.names === 'proxy' && !internalOnly) return [];
    try {
      return await this.#resolver.resolve(host);
    } catch (cause) {
      throw notAllowed(`cannot resolve ${host}`, cause, explanation);
    }
  }

  /** RFC 6761: these names are never resolved by DNS. Returns those of the two loopback addresses that are allowed. */
  #loopback(host: string): readonly Address[] {
    const open = ['127.0.0.1', '::1']
      .map(parseAddress)
      .filter((address) => address !== null)
      .filter((address) => judgeAddress(address, this.#policy) !== 'denied');
    if (open.length === 0) throw notLoopback(host);
    return open;
  }
}

const isLoopbackName = (host: string) => host === 'localhost' || host.endsWith('.localhost');

// Resolves host names by DNS.
//
// Uses c-ares, never getaddrinfo, which reads /etc/hosts, accepts 0x7f000001 and 127.1 as addresses, and runs on a
// thread pool that a few slow names of an attacker would block for everybody.

export interface NameResolver {
  /**
   * Every address of a name, IPv4 first; at least one.
   *
   * @throws Error when it has none, or there was no answer in time
   */
  resolve(name: string): Promise<readonly Address[]>;
}

/** The two DNS queries; implemented by `dns.promises.Resolver`. */
export interface DnsQueries {
  resolve4(name: string): Promise<readonly string[]>;
  resolve6(name: string): Promise<readonly string[]>;
}

const QUERY_TIMEOUT = 1_500;
const QUERY_TRIES = 2;
/** How long a caller waits for a name, ms; c-ares doubles its own timeout with each try. */
const DEADLINE = 3_000;
/** How long an answer is reused, ms. That is safe, because connections go to the addresses that were checked. */
const KEPT = 30_000;
const MAX_KEPT = 1_000;

export class DnsResolver implements NameResolver {
  readonly #queries: DnsQueries;
  readonly #now: () => number;
  readonly #answers = new Map<string, { readonly addresses: Promise<readonly Address[]>; readonly expires: number }>();

  constructor(
    queries: DnsQueries = new Resolver({ timeout: QUERY_TIMEOUT, tries: QUERY_TRIES }),
    now: () => number = Date.now,
  ) {
    this.#queries = queries;
    this.#now = now;
  }

  resolve(name: string): Promise<readonly Address[]> {
    const known = this.#answers.get(name);
    if (known && known.expires > this.#now()) return known.addresses;

    const addresses = this.#query(name);
    this.#answers.delete(name);
    this.#answers.set(name, { addresses, expires: this.#now() + KEPT });
    // Only successful answers are cached; concurrent calls for a name share one query.
    addresses.catch(() => {
      if (this.#answers.get(name)?.addresses === addresses) this.#answers.delete(name);
    });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_KEPT) break;
      this.#answers.delete(oldest);
    }
    return addresses;
  }

  async #query(name: string): Promise<readonly Address[]> {
    const late = () => new Error(`no answer for ${name} in ${DEADLINE} ms`);
    // One family may be missing, or its server broken: addresses that were not returned will not be used.
    const answers = await Promise.allSettled([
      resultWithin(DEADLINE, this.#queries.resolve4(name), late),
      resultWithin(DEADLINE, this.#queries.resolve6(name), late),
    ]);
    const texts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (texts.length === 0) {
      const causes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
      throw new Error(`${name} has no address`, { cause: causes[0] });
    }
    return texts.map((text) => {
      const address = parseAddress(text);
      if (address === null) throw new Error(`DNS gave ${JSON.stringify(text)} for ${name}`);
      return address;
    });
  }
}
