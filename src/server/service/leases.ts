// Leases: work that several servers on one database want at the same time is done once. The first takes a lease, the
// others wait for its result.
//
// A server that is alone on its database needs no leases: it knows in memory what runs, and gets every lease at once.

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';

/** A held lease. */
export interface Lease {
  /**
   * Called in the transaction that records the result of the work, so that it commits only while the lease is held.
   *
   * @throws AppError `overloaded` when the lease was lost: another server does the work by now
   */
  fence(stores: Stores): Promise<void>;
}

/** How long an unrenewed lease holds, ms: after this another server takes over from one that died. */
const LASTS = 20_000;
const RENEWED_EVERY = 5_000;
/** Poll interval while waiting for a lease, ms. */
const LOOK_EVERY = 50;

/** For a server that is alone on its database. */
const UNFENCED: Lease = { fence: async () => {} };

export interface LeasesContext {
  readonly storage: Storage;
  readonly clock: () => Date;
  /** Unique to this process, never reused. */
  readonly holder: string;
  /** Whether no other server works on the database. */
  readonly alone: boolean;
}

export class Leases {
  readonly #ctx: LeasesContext;
  #count = 0;

  constructor(ctx: LeasesContext) {
    this.#ctx = ctx;
  }

  /**
   * Does the work called `name`, or returns the result that another server made.
   *
   * @param made another server's result; null while there is none. Not called on a server that is alone.
   * @param patience how long to wait for others, ms
   * @throws AppError `overloaded` when others took longer
   */
  async once<T>(
    name: string,
    patience: number,
    made: () => Promise<T | null>,
    work: (lease: Lease) => Promise<T>,
  ): Promise<T> {
    const { storage, alone } = this.#ctx;
    if (alone) return work(UNFENCED);
    this.#count += 1;
    const holder = `${this.#ctx.holder} ${this.#count}`;
    const end = performance.now() + patience;
    while (!(await storage.leases.acquire(name, holder, ...this.#span()))) {
      if (performance.now() > end) {
        throw new AppError('overloaded', 'The same is being done already; try again in a moment.', { retryAfter: 2 });
      }
      await sleep(LOOK_EVERY);
      const found = await made();
      if (found !== null) return found;
    }
    const heart = setInterval(() => {
      storage.leases.renew(name, holder, this.#span()[1]).catch(() => {});
    }, RENEWED_EVERY);
    try {
      // The previous holder may have finished between the last check and the lease.
      const found = await made();
      if (found !== null) return found;
      return await work({
        async fence({ leases }) {
          if (await leases.hold(name, holder)) return;
          throw new AppError('overloaded', 'This took too long, and was begun anew; try again in a moment.', {
            retryAfter: 2,
          });
        },
      });
    } finally {
      clearInterval(heart);
      // If it cannot be released, it expires.
      await storage.leases.release(name, holder).catch(() => {});
    }
  }

  /**
   * Whether it is this server's turn to do something that only the first server does in each period of `every` ms. A
   * server that is alone always does it.
   */
  async isFirstThisPeriod(name: string, every: number): Promise<boolean> {
    const { storage, alone, holder, clock } = this.#ctx;
    if (alone) return true;
    const now = clock();
    // Slightly shorter, so that the lease is free when a server comes back after `every` ms.
    return storage.leases.acquire(name, holder, now, new Date(now.getTime() + every * 0.9));
  }

  #span(): [Date, Date] {
    const now = this.#ctx.clock();
    return [now, new Date(now.getTime() + LASTS)];
  }
}
