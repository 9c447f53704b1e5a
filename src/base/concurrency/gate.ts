// Limits how much work runs at once and how much may wait for it: back-pressure before the work starts.
//
// A freed place goes to the account with the fewest places, and among those to the one that has waited longest. So a
// thousand requests of one account delay another only by the work running at that moment. A freed place is passed on
// directly, so no new request can take it in between.

import { AppError } from '../errors.ts';

export interface GateLimits {
  /** Maximum tasks that run at the same time. */
  readonly concurrency: number;
  /** Maximum tasks that wait. */
  readonly waiting: number;
  /** Maximum tasks of one account that run at the same time; unlimited if absent. */
  readonly each?: number;
  /** Additional places for accounts that hold none, so that one account's work never blocks another; 0 if absent. */
  readonly spare?: number;
  /**
   * Called with how long a task waited for its turn, ms; 0 = not at all. Runs in the asynchronous context of the
   * caller.
   */
  readonly onAdmitted?: (waited: number) => void;
}

interface Waiter {
  readonly come: () => void;
  readonly refuse: () => void;
}

export class Gate {
  readonly #limits: GateLimits;
  #running = 0;
  #waiting = 0;
  /** Places in use, by account. */
  readonly #held = new Map<string, number>();
  /** By account, each in order of arrival; the first of the map had its last turn longest ago. */
  readonly #queues = new Map<string, Set<Waiter>>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Number of running tasks. */
  get running(): number {
    return this.#running;
  }

  /** Number of waiting tasks. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` when its turn comes. When too many tasks wait, the newest one of the account with the most waiting is
   * refused.
   *
   * @param whose the round-robin key, such as an account; tasks of one key run in order of arrival
   * @throws AppError `overloaded` when too many wait already, or when `signal` aborts before the turn has come
   */
  async pass<T>(signal: AbortSignal, work: () => Promise<T>, whose = ''): Promise<T> {
    if (signal.aborted) throw overloaded();
    if (this.#hasRoomFor(whose)) {
      this.#enter(whose);
      this.#limits.onAdmitted?.(0);
    } else {
      const asked = performance.now();
      await this.#turn(signal, whose);
      this.#limits.onAdmitted?.(performance.now() - asked);
    }
    try {
      return await work();
    } finally {
      this.#leave(whose);
    }
  }

  #turn(signal: AbortSignal, whose: string): Promise<void> {
    if (this.#waiting >= this.#limits.waiting && !this.#makeRoom(whose)) throw overloaded();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#unqueue(whose, waiter);
      reject(overloaded());
    };
    const waiter: Waiter = {
      come: () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      },
      refuse: () => {
        signal.removeEventListener('abort', giveUp);
        giveUp();
      },
    };
    this.#queue(whose, waiter);
    signal.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  /**
   * Refuses the newest task of the key with the most waiting; false, refusing none, when no key has more than `whose`
   * would have.
   */
  #makeRoom(whose: string): boolean {
    let most = this.#queues.get(whose)?.size ?? 0;
    let longest: Set<Waiter> | null = null;
    for (const queue of this.#queues.values()) {
      if (queue.size <= most + (longest ? 0 : 1)) continue;
      most = queue.size;
      longest = queue;
    }
    const newest = [...(longest ?? [])].at(-1);
    newest?.refuse();
    return newest !== undefined;
  }

  #queue(whose: string, waiter: Waiter): void {
    const queue = this.#queues.get(whose) ?? new Set();
    this.#queues.set(whose, queue.add(waiter));
    this.#waiting += 1;
  }

  #unqueue(whose: string, waiter: Waiter): void {
    const queue = this.#queues.get(whose);
    if (!queue?.delete(waiter)) return;
    this.#waiting -= 1;
    if (queue.size === 0) this.#queues.delete(whose);
  }

  #hasRoomFor(whose: string): boolean {
    const { concurrency, each = Number.POSITIVE_INFINITY, spare = 0 } = this.#limits;
    const held = this.#held.get(whose) ?? 0;
    return held < each && this.#running < concurrency + (held > 0 ? 0 : spare);
  }

  #enter(whose: string): void {
    this.#running += 1;
    this.#held.set(whose, (this.#held.get(whose) ?? 0) + 1);
  }

  #leave(whose: string): void {
    this.#running -= 1;
    const left = (this.#held.get(whose) ?? 1) - 1;
    if (left > 0) this.#held.set(whose, left);
    else this.#held.delete(whose);
    this.#admitNext();
  }

  #admitNext(): void {
    let next: readonly [string, Set<Waiter>] | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const entry of this.#queues) {
      const held = this.#held.get(entry[0]) ?? 0;
      if (held >= fewest) continue;
      fewest = held;
      next = entry;
    }
    if (!next || !this.#hasRoomFor(next[0])) return;
    const [whose, queue] = next;
    const [waiter] = queue;
    if (!waiter) return;
    this.#unqueue(whose, waiter);
    // Moves to the end of the round robin.
    if (this.#queues.delete(whose)) this.#queues.set(whose, queue);
    this.#enter(whose);
    waiter.come();
  }
}

/** A gate that limits only how many tasks of one account run at the same time. */
export function eachAtMost(each: number): Gate {
  return new Gate({ concurrency: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY, each });
}

/** The refusal of work because of others' work. @param cause for the log */
export const overloaded = (cause?: unknown): AppError =>
  new AppError('overloaded', 'The server is busy; try again in a few seconds.', { retryAfter: 5, cause });
