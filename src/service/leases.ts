// Work that is done once, however many servers on one database want it at the same time: the first takes a lease, the
// others wait for what comes of it.
//
// A server that is alone on its database needs none: what runs is known in its memory, and a lease is then had at once.

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#errors';
import type { Storage, Stores } from '#storage/storage.ts';

/** A lease that is had. */
export interface Lease {
  /**
   * To be called in the transaction that records what comes of the work: it then holds only if the lease does.
   *
   * @throws AppError `overloaded` when it was lost: somebody else does the work by now
   */
  fence(stores: Stores): Promise<void>;
}

/** How long a lease holds that nobody renews, ms: a server that died is replaced after this. */
const LASTS = 20_000;
const RENEWED_EVERY = 5_000;
/** Between two looks whether a lease is free, ms. */
const LOOK_EVERY = 50;

/** For a server that is alone. */
const UNFENCED: Lease = { fence: async () => {} };

export interface LeasesContext {
  readonly storage: Storage;
  readonly clock: () => Date;
  /** Of this process, and never used again. */
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
   * Does the work that `name` names, or takes what another server made of it.
   *
   * @param made what another has made; null while there is nothing. Not asked on a server that is alone.
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
      // Whoever had it may have ended between the question and the lease.
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
      // If it cannot be given up it lapses.
      await storage.leases.release(name, holder).catch(() => {});
    }
  }

  /**
   * Whether it falls to this server to do what is done once in `every` ms by whichever comes first. A server that is alone
   * always does it.
   */
  async takeTurn(name: string, every: number): Promise<boolean> {
    const { storage, alone, holder, clock } = this.#ctx;
    if (alone) return true;
    const now = clock();
    // A little less, so that who comes again after that time finds it free.
    return storage.leases.acquire(name, holder, now, new Date(now.getTime() + every * 0.9));
  }

  #span(): [Date, Date] {
    const now = this.#ctx.clock();
    return [now, new Date(now.getTime() + LASTS)];
  }
}
