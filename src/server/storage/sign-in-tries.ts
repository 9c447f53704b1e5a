// Stores recent password tries by key, one row each, so that they are counted for all nodes together.

import { atomically, type Database, rowsOf } from './database.ts';

interface Row {
  key: string;
  tries: number;
  until: number;
}

/** The tries counted for a key. */
export interface CountedTries {
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
        const [row] = await rowsOf<Row>(tx, ADD, { key, now: now.getTime(), until: until.getTime() });
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
    await this.#db<Row>('sign_in_tries')
      .whereIn('key', keys.toSorted())
      .where('until', '>', now.getTime())
      .where('tries', '>', 0)
      .update({ tries: this.#db.raw('tries - 1') });
  }

  async deleteLapsedBefore(time: Date): Promise<void> {
    await this.#db<Row>('sign_in_tries').where('until', '<', time.getTime()).delete();
  }
}
