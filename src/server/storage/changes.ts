// Detects changes to the data that authorises requests: keys, accounts, templates, secrets.
//
// With this, what was read of them can be cached and still be right for the next request, whichever process makes a
// change: triggers count (migrations/first-release/server.ts). Concurrent callers share one query.

import { coalesceNext } from '#base/concurrency/coalesce-next.ts';
import { type Database, execute } from './database.ts';

export class Changes {
  readonly #look: () => Promise<void>;
  #seen: unknown = null;
  #count = 0;

  constructor(db: Database) {
    this.#look = coalesceNext(async () => {
      const { response } = await execute(db, { sql: 'SELECT number FROM change_count', method: 'select' });
      const [{ number } = {}] = response as { number?: unknown }[];
      if (number !== this.#seen) this.#count += 1;
      this.#seen = number;
    });
  }

  /**
   * A number that rises with each change. Data that was read after the call is valid as long as the same number is
   * returned.
   *
   * @throws AppError `overloaded`
   */
  async current(): Promise<number> {
    await this.#look();
    return this.#count;
  }
}
