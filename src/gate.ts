// Bounds how much work runs at once and how much may wait for it: back-pressure before the work starts.
//
// Somebody waits only while every place is taken: whoever leaves hands the place on, so nobody can slip in between.

import { AppError } from '#errors';

export interface GateLimits {
  /** How many pieces of work run at the same time. */
  readonly concurrency: number;
  /** How many more may wait. */
  readonly waiting: number;
}

/** Somebody's place in a gate, while their work is under way. */
export interface Place {
  /**
   * Does work that takes long in another place, and hands this one on meanwhile; then waits to be given one again.
   *
   * The work of whoever has left by then ends without.
   */
  aside<T>(work: () => Promise<T>): Promise<T>;
}

export class Gate {
  readonly #limits: GateLimits;
  #running = 0;
  /** Whoever waits, in the order of coming: called when a place is theirs. */
  readonly #waiting = new Set<() => void>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Pieces of work under way. */
  get running(): number {
    return this.#running;
  }

  /** Pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs `work` when its turn comes, first come, first served.
   *
   * @throws AppError `overloaded` when too many wait already, or when `signal` aborts before the turn has come
   */
  async pass<T>(signal: AbortSignal, work: (place: Place) => Promise<T>): Promise<T> {
    if (signal.aborted) throw overloaded();
    if (this.#running < this.#limits.concurrency) this.#running += 1;
    else await this.#turn(signal);
    let isHeld = true;
    let isOver = false;
    const aside = async <R>(other: () => Promise<R>): Promise<R> => {
      this.#leave();
      isHeld = false;
      try {
        return await other();
      } finally {
        if (!isOver) {
          await this.#return();
          // It may have been given up while it waited.
          if (isOver) this.#leave();
          else isHeld = true;
        }
      }
    };
    try {
      return await work({ aside });
    } finally {
      isOver = true;
      if (isHeld) this.#leave();
    }
  }

  /** Behind all who wait, and never refused: it was let in before. */
  #return(): Promise<void> {
    if (this.#running < this.#limits.concurrency) {
      this.#running += 1;
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    return promise;
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.waiting) throw overloaded();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const come = () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      this.#waiting.delete(come);
      reject(overloaded());
    };
    this.#waiting.add(come);
    signal.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#running -= 1;
  }
}

const overloaded = () =>
  new AppError('overloaded', 'The server is busy; try again in a few seconds.', { retryAfter: 5 });
