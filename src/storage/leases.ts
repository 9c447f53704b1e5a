// Leases: who does a piece of work, and until when. One that is not renewed lapses, and may be had by another.
//
// Whoever writes what comes of the work asks in the same transaction whether the lease is still held (`hold`): a server
// that was stopped for longer than its lease, and goes on, changes nothing any more.

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

  /** False when somebody else has it. */
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

  /** Whether it is held; if so nobody else gets it before the transaction ends. */
  async hold(name: string, holder: string): Promise<boolean> {
    return (await this.#db<Row>('leases').where({ name, holder }).update({ holder })) > 0;
  }

  /** Gives it up, if it is held. */
  async release(name: string, holder: string): Promise<void> {
    await this.#db<Row>('leases').where({ name, holder }).delete();
  }

  async deleteLapsedBefore(time: Date): Promise<void> {
    await this.#db<Row>('leases').where('until', '<', time.getTime()).delete();
  }
}
