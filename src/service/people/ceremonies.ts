// Ceremonies: a challenge to a passkey or an identity provider, which can be answered once, within ten minutes.
//
// The answer names the ceremony by a token of 256 random bits; the expected values stay on the server.

import type { Ceremony, CeremonyKind } from '#storage/ceremonies.ts';
import type { Storage } from '#storage/storage.ts';
import { isToken, newToken } from '../../ids.ts';
import type { RateLimit } from '../rate-limit.ts';
import { hash } from './sessions.ts';

export type { Ceremony };

/** How long a person may take to answer, ms. */
export const CEREMONY_LASTS = 10 * 60 * 1000;

export class Ceremonies {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  readonly #rate: RateLimit;

  /**
   * @param rate limits how many an IP address may begin, since no sign-in is needed to begin one
   */
  constructor(storage: Storage, clock: () => Date, rate: RateLimit) {
    this.#storage = storage;
    this.#clock = clock;
    this.#rate = rate;
  }

  /**
   * @param address the requesting IP address
   * @throws AppError `rate_limited`
   */
  async begin(
    kind: CeremonyKind,
    { personId, expected, address }: { personId: string | null; expected: unknown; address: string },
  ): Promise<string> {
    this.#rate.take(address);
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
