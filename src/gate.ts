// Bounds how much work runs at once and how much may wait for it: back-pressure before the work starts.
//
// A freed place goes to the account that has the fewest places, and of those to the one that waited longest: a thousand
// requests of one account delay another by what runs at the moment, and no more. A freed place is handed on directly, so
// nobody can take it in between.

import { AppError } from '#errors';

export interface GateLimits {
  /** How many pieces of work run at the same time. */
  readonly concurrency: number;
  /** How many more may wait. */
  readonly waiting: number;
  /** Places beyond these for whoever has none, so that one account's work never stands in another's way; 0 if absent. */
  readonly spare?: number;
  /** Told how long a piece of work waited for its turn, ms; 0 = not at all. Called in the context of whoever asked. */
  readonly onTurn?: (waited: number) => void;
}

interface Waiter {
  readonly come: () => void;
  readonly refuse: () => void;
}

export class Gate {
  readonly #limits: GateLimits;
  #running = 0;
  #waiting = 0;
  /** Places in use, by whose they are. */
  readonly #held = new Map<string, number>();
  /** By whose they are, each in the order of coming; the first of the map has had its last turn longest ago. */
  readonly #queues = new Map<string, Set<Waiter>>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Pieces of work under way. */
  get running(): number {
    return this.#running;
  }

  /** Pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` when its turn comes. When too many wait, whoever has most of them loses the newest.
   *
   * @param whose takes turns with the others; the work of one comes in the order in which it was asked for
   * @throws AppError `overloaded` when too many wait already, or when `signal` aborts before the turn has come
   */
  async pass<T>(signal: AbortSignal, work: () => Promise<T>, whose = ''): Promise<T> {
    if (signal.aborted) throw overloaded();
    if (this.#hasRoomFor(whose)) {
      this.#enter(whose);
      this.#limits.onTurn?.(0);
    } else {
      const asked = performance.now();
      await this.#turn(signal, whose);
      this.#limits.onTurn?.(performance.now() - asked);
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

  /** Refuses the newest of whoever has most waiting; false, and nobody is, when nobody has more than `whose` would have. */
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
    const { concurrency, spare = 0 } = this.#limits;
    return this.#running < concurrency + (this.#held.has(whose) ? 0 : spare);
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
    // Behind the others, for its next turn.
    if (this.#queues.delete(whose)) this.#queues.set(whose, queue);
    this.#enter(whose);
    waiter.come();
  }
}

const overloaded = () =>
  new AppError('overloaded', 'The server is busy; try again in a few seconds.', { retryAfter: 5 });
