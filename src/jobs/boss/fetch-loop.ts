// Takes from a queue of pg-boss what this node has hands for, does it, and gives signs of life meanwhile.
//
// pg-boss's own `work()` waits for its next poll after every job; this asks again as soon as a hand is free.

import { type Held, POLL, TOUCHED_EVERY } from './open-boss.ts';

export interface FetchLoopOptions<T extends Held> {
  /** How much is done at the same time. */
  readonly hands: number;
  /** Takes up to `limit`. */
  readonly fetch: (limit: number) => Promise<readonly T[]>;
  readonly perform: (held: T) => Promise<void>;
  readonly touch: (held: readonly T[]) => Promise<void>;
  /** Gives back what was not finished in time. */
  readonly release: (held: T) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class FetchLoop<T extends Held> {
  readonly #options: FetchLoopOptions<T>;
  readonly #held = new Map<T, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #state: 'new' | 'running' | 'stopped' = 'new';
  /** The fetch under way, and whether somebody woke us meanwhile. */
  #fetching: Promise<void> | null = null;
  #wakened = false;

  constructor(options: FetchLoopOptions<T>) {
    this.#options = options;
  }

  get free(): number {
    return this.#options.hands - this.#held.size;
  }

  start(): void {
    this.#state = 'running';
    const { touch, onError } = this.#options;
    this.#timers.push(
      setInterval(() => this.wake(), POLL),
      setInterval(() => void touch([...this.#held.keys()]).catch(onError), TOUCHED_EVERY),
    );
    this.wake();
  }

  wake(): void {
    if (this.#state !== 'running') return;
    this.#wakened = true;
    this.#fetching ??= this.#fetch()
      .catch(this.#options.onError)
      .finally(() => {
        this.#fetching = null;
        // Whoever woke us while the last answer was read.
        if (this.#wakened && this.free > 0) this.wake();
      });
  }

  async drain(patience: number): Promise<void> {
    this.#state = 'stopped';
    await this.#fetching;
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, patience);
    await Promise.race([Promise.all(this.#held.values()), timeout.promise]);
    clearTimeout(timer);
    for (const timer of this.#timers) clearInterval(timer);
    const { release, onError } = this.#options;
    for (const held of this.#held.keys()) await release(held).catch(onError);
  }

  async #fetch(): Promise<void> {
    while (this.#wakened && this.#state === 'running' && this.free > 0) {
      this.#wakened = false;
      const found = await this.#options.fetch(this.free);
      for (const held of found) this.#held.set(held, this.#perform(held));
      // There may be more of what was left out for its group's sake.
      if (found.length > 0) this.#wakened = true;
    }
  }

  async #perform(held: T): Promise<void> {
    try {
      await this.#options.perform(held);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#held.delete(held);
    this.wake();
  }
}
