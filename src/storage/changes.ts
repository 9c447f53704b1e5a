// Says whether anything may have changed of what requests are let in by: keys, accounts, templates, secrets.
//
// So that what was read of them can be kept in memory and still be right for the next request, whoever changes it. What
// this process writes to SQLite is told by its statements; what another process writes, the command line say, by SQLite's
// data_version, which goes up when another connection has committed. In PostgreSQL triggers count (migration 0030). One
// question serves all who ask meanwhile.

import type { Database, DialectClient } from './database.ts';
import { together } from './together.ts';

export class Changes {
  readonly #look: () => Promise<void>;
  #seen = '';
  #count = 0;

  constructor(db: Database) {
    this.#look = together(async () => {
      const mark = await (db.client as DialectClient).changeMark();
      if (mark !== this.#seen) this.#count += 1;
      this.#seen = mark;
    });
  }

  /**
   * A number that goes up with each change. What was read after asking holds as long as the same number is answered.
   *
   * @throws AppError `overloaded`
   */
  async current(): Promise<number> {
    await this.#look();
    return this.#count;
  }
}
