// Bounds how much work runs at once and how much may wait for it: back-pressure before the work starts.

import PQueue from 'p-queue';
import { AppError } from '#errors';

export interface GateLimits {
  /** How many pieces of work run at the same time. */
  readonly concurrency: number;
  /** How many more may wait. */
  readonly waiting: number;
}

export class Gate {
  readonly #queue: PQueue;
  readonly #maxWaiting: number;

  constructor({ concurrency, waiting }: GateLimits) {
    this.#queue = new PQueue({ concurrency });
    this.#maxWaiting = waiting;
  }

  /** Pieces of work under way. */
  get running(): number {
    return this.#queue.pending;
  }

  /** Pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Runs `work` when its turn comes, first come, first served.
   *
   * @throws AppError `overloaded` when too many wait already, or when `signal` aborts before the turn has come
   */
  async pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#queue.size >= this.#maxWaiting && this.#queue.pending >= this.#queue.concurrency) throw overloaded();
    // p-queue would also free the place of running work whose signal aborts, although the work may still go on.
    const wait = new AbortController();
    const giveUp = () => wait.abort(overloaded());
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    return this.#queue.add(
      () => {
        signal.removeEventListener('abort', giveUp);
        return work();
      },
      { signal: wait.signal },
    );
  }
}

const overloaded = () =>
  new AppError('overloaded', 'The server is busy; try again in a few seconds.', { retryAfter: 5 });
