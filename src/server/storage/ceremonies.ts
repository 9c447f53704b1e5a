// Stores open ceremonies: challenges to a passkey or an identity provider, until they are answered once. In the
// database, not in memory, because another node may get the answer.

import { atomically, type Database } from './database.ts';

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

interface Row {
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
    await this.#db<Row>('ceremonies').insert({
      ...{ hash, kind, person_id: personId, expected: JSON.stringify(expected) },
      expires_at: expiresAt.getTime(),
    });
  }

  /** Removes and returns it, for the first caller only; null when there is none of that kind, or it has expired. */
  async take(kind: CeremonyKind, hash: string, now: Date): Promise<Ceremony | null> {
    return atomically(this.#db, async (tx) => {
      const row = await tx<Row>('ceremonies').where({ hash, kind }).first();
      if (!row || (await tx<Row>('ceremonies').where({ hash }).delete()) === 0) return null;
      if (row.expires_at <= now.getTime()) return null;
      const { person_id: personId, expected, expires_at: expiresAt } = row;
      return { kind, personId, expected: JSON.parse(expected), expiresAt: new Date(expiresAt) };
    });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.#db<Row>('ceremonies').where('expires_at', '<=', now.getTime()).delete();
  }
}
