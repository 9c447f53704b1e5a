// Fetches entries from a pg-boss queue up to this node's concurrency, processes them, and sends heartbeats meanwhile.
//
// pg-boss's own `work()` waits for its next poll after every job; this fetches again as soon as there is capacity.

import { endsWithin } from '#base/concurrency/deadline.ts';
import { type Held, POLL, TOUCHED_EVERY } from './open-boss.ts';

export interface FetchLoopOptions<T extends Held> {
  /** Number of entries processed at the same time. */
  readonly concurrency: number;
  /** Fetches up to `limit` entries. */
  readonly fetch: (limit: number) => Promise<readonly T[]>;
  readonly perform: (held: T) => Promise<void>;
  readonly touch: (held: readonly T[]) => Promise<void>;
  /** Returns an entry that was not finished in time. */
  readonly release: (held: T) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class FetchLoop<T extends Held> {
  readonly #options: FetchLoopOptions<T>;
  readonly #held = new Map<T, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #state: 'new' | 'running' | 'stopped' = 'new';
  /** The current fetch, and whether `wake` was called meanwhile. */
  #fetching: Promise<void> | null = null;
  #wakened = false;

  constructor(options: FetchLoopOptions<T>) {
    this.#options = options;
  }

  get free(): number {
    return this.#options.concurrency - this.#held.size;
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
        // `wake` was called while the last answer was read.
        if (this.#wakened && this.free > 0) this.wake();
      });
  }

  async drain(patience: number): Promise<void> {
    this.#state = 'stopped';
    await this.#fetching;
    await endsWithin(patience, Promise.all(this.#held.values()));
    for (const timer of this.#timers) clearInterval(timer);
    const { release, onError } = this.#options;
    for (const held of this.#held.keys()) await release(held).catch(onError);
  }

  async #fetch(): Promise<void> {
    while (this.#wakened && this.#state === 'running' && this.free > 0) {
      this.#wakened = false;
      const found = await this.#options.fetch(this.free);
      for (const held of found) this.#held.set(held, this.#perform(held));
      // Entries that were left out because of their group's limit may remain.
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
