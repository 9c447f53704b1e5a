// Detects changes to the data that authorises requests: keys, accounts, templates, secrets.
//
// With this, what was read of them can be cached and still be right for the next request, whichever process makes a
// change. Writes of this process to SQLite are noticed in its statements; writes of other processes, such as the
// command line, by SQLite's data_version, which rises when another connection commits. In PostgreSQL triggers count
// (migrations/first-release/server.ts). Concurrent callers share one query.

import { coalesceNext } from '#concurrency/coalesce-next.ts';
import type { Database, DialectClient } from './database.ts';

export class Changes {
  readonly #look: () => Promise<void>;
  #seen = '';
  #count = 0;

  constructor(db: Database) {
    this.#look = coalesceNext(async () => {
      const mark = await (db.client as DialectClient).changeMark();
      if (mark !== this.#seen) this.#count += 1;
      this.#seen = mark;
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
