// Resolves host names by DNS.
//
// Uses c-ares, never getaddrinfo, which reads /etc/hosts, accepts 0x7f000001 and 127.1 as addresses, and runs on a
// thread pool that a few slow names of an attacker would block for everybody.

import { Resolver } from 'node:dns/promises';
import { resultWithin } from '#base/concurrency/deadline.ts';
import { type Address, parseAddress } from './address.ts';

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
