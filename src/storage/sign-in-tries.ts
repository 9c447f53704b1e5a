// How often passwords were tried lately, by a key: one row a key, so that it counts on all nodes together.

import { atomically, type Database, rowsOf } from './database.ts';

interface Row {
  key: string;
  tries: number;
  until: number;
}

/** What was counted of a key. */
export interface CountedTries {
  readonly key: string;
  readonly tries: number;
  /** When they are forgotten. */
  readonly until: Date;
}

/** One more of the time that runs, or the first of a new one. */
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
   * Counts a try for each of the keys, or for none if `isRefused` says so of one.
   *
   * @returns the one that is refused, or null
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
      // In one order, so that no two wait for each other.
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

  /** Takes a try of each back, of the time that ran then. */
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
