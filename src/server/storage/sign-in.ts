// Stores what signing in takes: open ceremonies, recent password tries, and the browsers that a person has signed in with. In
// the database, not in memory, because another node may get the next request.

import { atomically, type Database, queryRows } from './database.ts';

// Open ceremonies: challenges to a passkey or an identity provider, until they are answered once.

/** Creating a passkey, signing in with one, confirming presence with one; signing in through an identity provider. */
export type CeremonyKind = 'new-passkey' | 'passkey' | 'passkey-again' | 'oidc';

export interface Ceremony {
  readonly kind: CeremonyKind;
  /** The person it belongs to; null = not known yet. */
  readonly personId: string | null;
  /** Values that the answer is checked against: plain JSON. */
  readonly expected: unknown;
  readonly expiresAt: Date;
}

interface CeremonyRow {
  hash: string;
  kind: CeremonyKind;
  person_id: string | null;
  expected: string;
  expires_at: number;
}

export class CeremonyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @param hash SHA-256 of the ceremony's token, lower-case hex
   */
  async insert({ kind, personId, expected, expiresAt }: Ceremony, hash: string): Promise<void> {
    await this.#db<CeremonyRow>('ceremonies').insert({
      ...{ hash, kind, person_id: personId, expected: JSON.stringify(expected) },
      expires_at: expiresAt.getTime(),
    });
  }

  /** Removes and returns it, for the first caller only; null when there is none of that kind, or it has expired. */
  async take(kind: CeremonyKind, hash: string, now: Date): Promise<Ceremony | null> {
    return atomically(this.#db, async (tx) => {
      const row = await tx<CeremonyRow>('ceremonies').where({ hash, kind }).first();
      if (!row || (await tx<CeremonyRow>('ceremonies').where({ hash }).delete()) === 0) return null;
      if (row.expires_at <= now.getTime()) return null;
      const { person_id: personId, expected, expires_at: expiresAt } = row;
      return { kind, personId, expected: JSON.parse(expected), expiresAt: new Date(expiresAt) };
    });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db<CeremonyRow>('ceremonies').where('expires_at', '<=', now.getTime()).delete();
  }
}

// Recent password tries by key, one row each, so that they are counted for all nodes together.

interface TryRow {
  key: string;
  tries: number;
  until: number;
}

/** The tries counted for a key. */
interface CountedTries {
  readonly key: string;
  readonly tries: number;
  /** When they are forgotten. */
  readonly until: Date;
}

/** Increments the count of the current window, or starts a new window. */
const ADD = `
  INSERT INTO sign_in_tries (key, tries, until) VALUES (:key, 1, :until)
  ON CONFLICT (key) DO UPDATE SET
    tries = CASE WHEN sign_in_tries.until > :now THEN sign_in_tries.tries + 1 ELSE 1 END,
    until = CASE WHEN sign_in_tries.until > :now THEN sign_in_tries.until ELSE :until END
  RETURNING key, tries, until`;

export class SignInTryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Counts a try for each of the keys; for none if `isRefused` returns true for one of them.
   *
   * @returns the refused key, or null
   */
  async add(
    keys: readonly string[],
    now: Date,
    until: Date,
    isRefused: (counted: CountedTries) => boolean,
  ): Promise<CountedTries | null> {
    const refusal = new Error('One of the keys has no try left.');
    let refused: CountedTries | null = null;
    const count = async (tx: Database) => {
      // Sorted, so that concurrent calls cannot deadlock.
      for (const key of keys.toSorted()) {
        const [row] = await queryRows<TryRow>(tx, ADD, { key, now: now.getTime(), until: until.getTime() });
        if (!row) continue;
        const counted = { key, tries: row.tries, until: new Date(row.until) };
        if (!isRefused(counted)) continue;
        refused = counted;
        throw refusal;
      }
    };
    await atomically(this.#db, count).catch((error) => {
      if (error !== refusal) throw error;
    });
    return refused;
  }

  /** Takes back one try of each key, within the current window. */
  async giveBack(keys: readonly string[], now: Date): Promise<void> {
    await this.#db<TryRow>('sign_in_tries')
      .whereIn('key', keys.toSorted())
      .where('until', '>', now.getTime())
      .where('tries', '>', 0)
      .update({ tries: this.#db.raw('tries - 1') });
  }

  async deleteLapsedBefore(time: Date): Promise<void> {
    await this.#db<TryRow>('sign_in_tries').where('until', '<', time.getTime()).delete();
  }
}

// The browsers that a person has signed in with by password, by the SHA-256 of their cookie.

interface BrowserRow {
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
    const known = this.#db<BrowserRow>('known_browsers').where({ hash, person_id: personId });
    return (await known.where('expires_at', '>', now.getTime()).first('hash')) !== undefined;
  }

  /** Gives a browser, with everybody who has used it, another cookie. */
  async rename(before: string, hash: string): Promise<void> {
    await this.#db<BrowserRow>('known_browsers').where({ hash: before }).update({ hash });
  }

  /** Adds a browser of a person, or lets it expire later, and forgets all but the newest ones. */
  async remember(hash: string, personId: string, expiresAt: Date, most: number): Promise<void> {
    const own = { person_id: personId };
    await this.#db<BrowserRow>('known_browsers')
      .insert({ hash, ...own, expires_at: expiresAt.getTime() })
      .onConflict(['hash', 'person_id'])
      .merge(['expires_at']);
    const old = this.#db<BrowserRow>('known_browsers')
      .where(own)
      .orderBy('expires_at', 'desc')
      .offset(most)
      .limit(1_000);
    const hashes = await old.pluck('hash');
    if (hashes.length > 0) await this.#db<BrowserRow>('known_browsers').where(own).whereIn('hash', hashes).delete();
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db<BrowserRow>('known_browsers').where('expires_at', '<=', now.getTime()).delete();
  }
}
