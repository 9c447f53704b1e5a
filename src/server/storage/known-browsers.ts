// Stores which browsers a person has signed in with by password, by the SHA-256 of their cookie.

import type { Database } from './database.ts';

interface Row {
  hash: string;
  person_id: string;
  expires_at: number;
}

export class KnownBrowserStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param hash SHA-256 of the cookie's value, lower-case hex */
  async isKnown(hash: string, personId: string, now: Date): Promise<boolean> {
    const known = this.#db<Row>('known_browsers').where({ hash, person_id: personId });
    return (await known.where('expires_at', '>', now.getTime()).first('hash')) !== undefined;
  }

  /** Gives a browser, with everybody who has used it, another cookie. */
  async rename(before: string, hash: string): Promise<void> {
    await this.#db<Row>('known_browsers').where({ hash: before }).update({ hash });
  }

  /** Adds a browser of a person, or lets it expire later, and forgets all but the newest ones. */
  async remember(hash: string, personId: string, expiresAt: Date, most: number): Promise<void> {
    const own = { person_id: personId };
    await this.#db<Row>('known_browsers')
      .insert({ hash, ...own, expires_at: expiresAt.getTime() })
      .onConflict(['hash', 'person_id'])
      .merge(['expires_at']);
    const old = this.#db<Row>('known_browsers').where(own).orderBy('expires_at', 'desc').offset(most).limit(1_000);
    const hashes = await old.pluck('hash');
    if (hashes.length > 0) await this.#db<Row>('known_browsers').where(own).whereIn('hash', hashes).delete();
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db<Row>('known_browsers').where('expires_at', '<=', now.getTime()).delete();
  }
}
