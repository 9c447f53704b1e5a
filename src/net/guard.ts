// The outbound guard: every connection that Platen opens to a host of somebody else's choice is opened here.
//
// A URL or a host passes the rules for text, its name is resolved, every address is judged, and the socket leads to an
// address that was judged: between the check and the use nothing can change.

import type { Socket } from 'node:net';
import { type Address, judgeAddress, parseAddress } from './address.ts';
import { dial } from './dial.ts';
import {
  checkDestination,
  checkOutboundUrl,
  type Destination,
  notAllowed,
  type OutboundPolicy,
  type OutboundUrl,
} from './outbound-url.ts';
import { DnsResolver, type NameResolver } from './resolver.ts';

export class Guard {
  readonly #policy: OutboundPolicy;
  readonly #resolver: NameResolver;

  constructor(policy: OutboundPolicy, resolver: NameResolver = new DnsResolver()) {
    this.#policy = policy;
    this.#resolver = resolver;
  }

  /**
   * The rules for text alone: what can be said of a URL without asking the network.
   *
   * @throws AppError `url_not_allowed`
   */
  check(url: string): OutboundUrl {
    return checkOutboundUrl(url, this.#policy);
  }

  /**
   * Every rule, the name's addresses among them. What it leads to may change before it is asked for, and is then judged
   * again: this only says no before any work is done.
   *
   * @throws AppError `url_not_allowed` when it is denied or cannot be resolved
   */
  async admit(url: string): Promise<void> {
    await this.#judged(this.check(url).destination);
  }

  /**
   * As `admit`, for what is asked for later: a name that is not resolved within `patience` ms, or not at all, is let
   * through, for then it is judged again.
   *
   * @throws AppError `url_not_allowed` when it is denied
   */
  async foresee(url: string, patience: number): Promise<void> {
    const { destination } = this.check(url);
    const { promise: nothing, resolve } = Promise.withResolvers<readonly Address[]>();
    const timer = setTimeout(resolve, patience, []);
    const isNamed = destination.address === null && !isLoopbackName(destination.host);
    const asked = this.#addresses(destination);
    const addresses = await Promise.race([isNamed ? asked.catch(() => []) : asked, nothing]).finally(() =>
      clearTimeout(timer),
    );
    this.#judge(destination, addresses);
  }

  /**
   * A TCP connection to a host that passes every rule.
   *
   * @param host a name, or an address with or without brackets
   * @throws AppError `url_not_allowed` when it is denied or cannot be resolved; Error when it does not answer
   */
  async connect(host: string, port: number, signal?: AbortSignal): Promise<Socket> {
    return dial(await this.#judged(checkDestination(host, port, this.#policy)), port, signal);
  }

  /** Every address of a destination, once all of them were let through. */
  async #judged(destination: Destination): Promise<readonly Address[]> {
    const addresses = await this.#addresses(destination);
    this.#judge(destination, addresses);
    return addresses;
  }

  #judge({ host, internalOnly }: Destination, addresses: readonly Address[]): void {
    for (const address of addresses) {
      const verdict = judgeAddress(address, this.#policy);
      if (verdict === 'denied' || (internalOnly && verdict !== 'internal')) {
        throw notAllowed(`${host} resolves to ${address.join('.')}`);
      }
    }
  }

  async #addresses({ host, address }: Destination): Promise<readonly Address[]> {
    if (address !== null) return [address];
    if (isLoopbackName(host)) return this.#loopback(host);
    try {
      return await this.#resolver.resolve(host);
    } catch (cause) {
      throw notAllowed(`cannot resolve ${host}`, cause);
    }
  }

  /** RFC 6761: these names are never asked of DNS. Of the two loopback addresses those count that are let through. */
  #loopback(host: string): readonly Address[] {
    const open = ['127.0.0.1', '::1']
      .map(parseAddress)
      .filter((address) => address !== null)
      .filter((address) => judgeAddress(address, this.#policy) !== 'denied');
    if (open.length === 0) throw notAllowed(`name ${host}`);
    return open;
  }
}

const isLoopbackName = (host: string) => host === 'localhost' || host.endsWith('.localhost');
