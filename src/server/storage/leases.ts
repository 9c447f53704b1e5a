// Stores leases: who does a piece of work, and until when. A lease that is not renewed expires, and another server may
// take it.
//
// A server that records the result of the work checks in the same transaction that it still holds the lease (`hold`).
// So a server that was suspended for longer than its lease changes nothing when it goes on.

import type { Database } from './database.ts';

interface Row {
  name: string;
  holder: string;
  until: number;
}

export class LeaseStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** False when another holder has it. */
  async acquire(name: string, holder: string, now: Date, until: Date): Promise<boolean> {
    const taken = await this.#db<Row>('leases')
      .insert({ name, holder, until: until.getTime() })
      .onConflict('name')
      .merge({ holder, until: until.getTime() })
      .where('leases.until', '<=', now.getTime())
      .returning('holder');
    return taken.length > 0;
  }

  /** Extends it; false when it was lost. */
  async renew(name: string, holder: string, until: Date): Promise<boolean> {
    return (await this.#db<Row>('leases').where({ name, holder }).update({ until: until.getTime() })) > 0;
  }

  /** Whether it is held. If so, nobody else can get it before the transaction ends. */
  async hold(name: string, holder: string): Promise<boolean> {
    return (await this.#db<Row>('leases').where({ name, holder }).update({ holder })) > 0;
  }

  /** Deletes it, if it is held. */
  async release(name: string, holder: string): Promise<void> {
    await this.#db<Row>('leases').where({ name, holder }).delete();
  }

  async deleteLapsedBefore(time: Date): Promise<void> {
    await this.#db<Row>('leases').where('until', '<', time.getTime()).delete();
  }
}
