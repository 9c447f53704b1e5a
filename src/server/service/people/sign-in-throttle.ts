// Limits wrong passwords per key and time window, counted for all servers together.
//
// A try is counted before its password is checked, so that simultaneous tries cannot get around the limit, and given
// back if the password is right. Strangers are counted by address and by the person whose password they try; people who
// are signed in, and browsers that they have used before, are counted by themselves, so that a stranger's tries do not
// lock them out.

import { createHash } from 'node:crypto';
import { AppError } from '#base/errors.ts';
import type { Storage } from '#server/storage/storage.ts';
import { addressGroup, SITE } from '../accounts/address-group.ts';
import type { Origin } from './sessions.ts';

const MOST = 10;
/** Of all people at one address: one who mistypes does not lock out a colleague. So also behind a peer that may be a proxy. */
const MOST_SHARED = 100;
/** ms */
const WINDOW = 15 * 60 * 1000;

export class SignInThrottle {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * Counts a try for each of the keys.
   *
   * @param shared keys that several people share, with a limit of their own
   * @returns a function that gives them back. @throws AppError `rate_limited`
   */
  async take(keys: readonly string[], shared: readonly string[] = []): Promise<() => Promise<void>> {
    const { signInTries } = this.#storage;
    const now = this.#clock();
    const sharedKeys = shared.map(hashOf);
    const hashed = [...keys.map(hashOf), ...sharedKeys];
    const until = new Date(now.getTime() + WINDOW);
    const mostOf = (key: string) => (sharedKeys.includes(key) ? MOST_SHARED : MOST);
    const full = await signInTries.add(hashed, now, until, ({ key, tries }) => tries > mostOf(key));
    if (full) {
      const retryAfter = Math.ceil((full.until.getTime() - now.getTime()) / 1000);
      const minutes = Math.ceil(retryAfter / 60);
      const message = `Too many tries; wait ${minutes} min. Who cannot wait makes a link with "platen user link".`;
      throw new AppError('rate_limited', message, { retryAfter });
    }
    return () => signInTries.giveBack(hashed, this.#clock());
  }
}

/** Whom a try is counted for. */
export interface Counted {
  readonly keys: readonly string[];
  /** Keys that several people share. */
  readonly shared: readonly string[];
  /** Key of the round robin in which passwords are compared; null = ahead of strangers. */
  readonly fairnessKey: string | null;
}

/** Of somebody unknown, who tries the password of a person. */
export function countStranger({ address, proxy = null }: Origin, email: string): Counted {
  const own = proxy === address ? [] : [`address ${addressGroup(address)}`];
  return {
    keys: [`person ${email}`],
    shared: proxy === null ? own : [...own, `proxy ${proxy}`],
    fairnessKey: addressGroup(address, SITE),
  };
}

/** Of a browser, or a session, that is known. */
export const countKnown = (key: string): Counted => ({ keys: [key], shared: [], fairnessKey: null });

/** Hashed, because anything may be typed as an e-mail address, even a password: it must not reach the database. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url');
