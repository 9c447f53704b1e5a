// Ceremonies: a challenge to a passkey or an identity provider, which can be answered once, within ten minutes.
//
// The answer names the ceremony by a token of 256 random bits; the expected values stay on the server.

import { isToken, newToken } from '#base/ids.ts';
import type { Ceremony, CeremonyKind } from '#server/storage/sign-in.ts';
import type { Storage } from '#server/storage/storage.ts';
import { addressGroup } from '../accounts/address-group.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import { hash, type Origin } from './sessions.ts';

export type { Ceremony };

/** How long a person may take to answer, ms. */
export const CEREMONY_LASTS = 10 * 60 * 1000;

export class Ceremonies {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  readonly #rate: RateLimit;
  readonly #proxyRate: RateLimit;

  /**
   * @param rate limits how many an IP address may begin, since no sign-in is needed to begin one
   * @param proxyRate limits all clients of a peer that may be a proxy
   */
  constructor(storage: Storage, clock: () => Date, rate: RateLimit, proxyRate: RateLimit) {
    this.#storage = storage;
    this.#clock = clock;
    this.#rate = rate;
    this.#proxyRate = proxyRate;
  }

  /**
   * @param origin of the request
   * @throws AppError `rate_limited`
   */
  async begin(
    kind: CeremonyKind,
    { personId, expected, origin }: { personId: string | null; expected: unknown; origin: Origin },
  ): Promise<string> {
    const { address, proxy = null } = origin;
    if (proxy !== null) this.#proxyRate.take(proxy);
    if (proxy !== address) this.#rate.take(addressGroup(address));
    const now = this.#clock();
    const token = newToken('plc');
    await this.#storage.ceremonies.deleteExpired(now);
    const expiresAt = new Date(now.getTime() + CEREMONY_LASTS);
    await this.#storage.ceremonies.insert({ kind, personId, expected, expiresAt }, hash(token));
    return token;
  }

  /** Returns the ceremony and ends it; null when it was answered already, has expired or never existed. */
  async finish(kind: CeremonyKind, token: string): Promise<Ceremony | null> {
    if (!isToken('plc', token)) return null;
    return this.#storage.ceremonies.take(kind, hash(token), this.#clock());
  }
}
