// How often a password may be tried: so many wrong ones in a time, by whatever they are counted for, on all nodes together.
//
// A try is counted before its password is checked, so that many at once are no way around it, and given back if it fits.

import { createHash } from 'node:crypto';
import { AppError } from '#errors';
import type { Storage } from '#storage/storage.ts';

const MOST = 10;
/** ms */
const WINDOW = 15 * 60 * 1000;

export class Tries {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Counts a try for each of the keys. @returns gives it back. @throws AppError `rate_limited` */
  async take(keys: readonly string[]): Promise<() => Promise<void>> {
    const { signInTries } = this.#storage;
    const now = this.#clock();
    const hashed = keys.map(hashOf);
    const until = new Date(now.getTime() + WINDOW);
    const full = await signInTries.add(hashed, now, until, ({ tries }) => tries > MOST);
    if (full) {
      const retryAfter = Math.ceil((full.until.getTime() - now.getTime()) / 1000);
      const minutes = Math.ceil(retryAfter / 60);
      const message = `Too many tries; wait ${minutes} min. Who cannot wait makes a link with "platen user link".`;
      throw new AppError('rate_limited', message, { retryAfter });
    }
    return () => signInTries.giveBack(hashed, this.#clock());
  }
}

/** What is typed as an e-mail address may be anything, a password too: the database is not to have it. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url');
