// How often a password may be tried: so many wrong ones in a time, by whatever they are counted for.
//
// A try is counted before its password is checked, so that many at once are no way around it, and given back if it fits.

import { AppError } from '#errors';

const MOST = 10;
/** ms */
const WINDOW = 15 * 60 * 1000;
/** Counts in memory; the oldest is forgotten first, which can only make the limit milder. */
const MAX_COUNTS = 20_000;

interface Count {
  tries: number;
  /** When it begins anew, ms since 1970. */
  until: number;
}

export class Tries {
  readonly #clock: () => Date;
  readonly #counts = new Map<string, Count>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** Counts a try for each of the keys. @returns gives it back. @throws AppError `rate_limited` */
  take(keys: readonly string[]): () => void {
    const now = this.#clock().getTime();
    const counts = keys.map((key) => this.#count(key, now));
    const full = counts.find(({ tries }) => tries >= MOST);
    if (full) {
      const retryAfter = Math.ceil((full.until - now) / 1000);
      const minutes = Math.ceil(retryAfter / 60);
      const message = `Too many tries; wait ${minutes} min. Who cannot wait makes a link with "platen user link".`;
      throw new AppError('rate_limited', message, { retryAfter });
    }
    for (const count of counts) count.tries += 1;
    return () => {
      for (const count of counts) count.tries -= 1;
    };
  }

  #count(key: string, now: number): Count {
    const known = this.#counts.get(key);
    const count = known && known.until > now ? known : { tries: 0, until: now + WINDOW };
    this.#counts.delete(key);
    this.#counts.set(key, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_COUNTS && oldest !== undefined) this.#counts.delete(oldest);
    return count;
  }
}
