// Limits wrong passwords per key and time window, counted for all servers together.
//
// A try is counted before its password is checked, so that simultaneous tries cannot get around the limit, and given
// back if the password is right.

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

  /** Counts a try for each of the keys. @returns a function that gives them back. @throws AppError `rate_limited` */
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

/** Hashed, because anything may be typed as an e-mail address, even a password: it must not reach the database. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url');
