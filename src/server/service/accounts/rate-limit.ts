// Limits the rate of an action per key: token buckets, refilled evenly over the minute.

import { AppError } from '#base/errors.ts';

interface Bucket {
  tokens: number;
  /** When `tokens` was computed, ms since 1970. */
  at: number;
}

/** Maximum buckets. The oldest is dropped first, which can only loosen the limit. */
const MAX_BUCKETS = 10_000;

export class RateLimit {
  readonly #perMinute: number;
  readonly #clock: () => Date;
  readonly #buckets = new Map<string, Bucket>();

  /**
   * @param perMinute 0 = unlimited
   */
  constructor(perMinute: number, clock: () => Date) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /**
   * @throws AppError `rate_limited` saying when the next request is allowed
   */
  take(key: string): void {
    if (this.#perMinute === 0) return;
    const { tokens, at } = this.check(key);
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens - 1, at });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
  }

  /**
   * Returns the bucket as it is now, taking nothing: for a refusal before any work is done.
   *
   * @throws as `take`
   */
  check(key: string): Readonly<Bucket> {
    const at = this.#clock().getTime();
    if (this.#perMinute === 0) return { tokens: 0, at };
    const perMs = this.#perMinute / 60_000;
    const last = this.#buckets.get(key) ?? { tokens: this.#perMinute, at };
    const tokens = Math.min(this.#perMinute, last.tokens + Math.max(0, at - last.at) * perMs);
    if (tokens >= 1) return { tokens, at };
    const retryAfter = Math.ceil((1 - tokens) / perMs / 1000);
    throw new AppError('rate_limited', `Too many requests; try again in ${retryAfter} s.`, { retryAfter });
  }
}
