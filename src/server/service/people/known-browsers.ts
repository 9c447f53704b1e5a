// Browsers that somebody has signed in with by password before, told by a cookie of 256 random bits. Their tries are
// counted apart from those of strangers, who therefore lock nobody out of them (OWASP's "device cookies").

import { isToken, newToken } from '#base/ids.ts';
import type { Storage } from '#server/storage/storage.ts';
import { hash } from './sessions.ts';

/** How long a browser is known after the last sign-in, ms. */
export const BROWSER_LASTS = 180 * 24 * 60 * 60 * 1000;
/** Maximum browsers of a person. */
const MOST = 50;

export class KnownBrowsers {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * The key under which the browser's tries for this person are counted; null when the person has not signed in with it.
   */
  async keyOf(token: string | null | undefined, personId: string): Promise<string | null> {
    if (token == null || !isToken('plb', token)) return null;
    const hashed = hash(token);
    if (!(await this.#storage.knownBrowsers.isKnown(hashed, personId, this.#clock()))) return null;
    return `browser ${hashed} of ${personId}`;
  }

  /**
   * Remembers the browser of a person who has just shown the password. Returns its new cookie: a cookie that somebody
   * else has put into the browser beforehand is worth nothing afterwards.
   *
   * @param token the browser's present cookie; null = it has none
   */
  async remember(personId: string, token: string | null): Promise<string> {
    const fresh = newToken('plb');
    const expiresAt = new Date(this.#clock().getTime() + BROWSER_LASTS);
    await this.#storage.transaction(async ({ knownBrowsers }) => {
      if (token !== null && isToken('plb', token)) await knownBrowsers.rename(hash(token), hash(fresh));
      await knownBrowsers.remember(hash(fresh), personId, expiresAt, MOST);
    });
    return fresh;
  }
}
