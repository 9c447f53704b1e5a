// Fetches the entries of a queue up to this process's concurrency, performs them, and renews its hold on them meanwhile.
//
// Every queue polls by it, in SQLite and through pg-boss, whose own `work()` waits for its next poll after every entry.
//
// | state   | `wake`, or the poll                           | an entry ends    | `drain`                              |
// |---------|-----------------------------------------------|------------------|--------------------------------------|
// | new     | nothing                                       | looks for more   | → stopped                            |
// | running | fetches; during a fetch, once more after it   | looks for more   | → stopped: waits for the fetch and   |
// |         |                                               |                  | gives back what it brought; waits    |
// |         |                                               |                  | for the entries, gives back the rest |
// | stopped | nothing                                       | nothing          | as above                             |

import PQueue from 'p-queue';
import { endsWithin } from '#base/concurrency/deadline.ts';

/** Poll interval for due entries that nothing announced, ms: retries, and entries of killed nodes. */
const POLL = 1_000;

export interface FetchLoopOptions<T> {
  /** Number of entries performed at the same time. */
  readonly concurrency: number;
  /** Fetches up to `limit` entries, from 1 up. */
  readonly fetch: (limit: number) => Promise<readonly T[]>;
  /** Whether limits may leave out entries that `fetch` would bring next: it is called until it brings none. */
  readonly inRounds?: boolean;
  readonly perform: (held: T) => Promise<void>;
  /** Renews the hold on entries, every so many ms; absent where a claim lasts longer than an entry. */
  readonly renewal?: { readonly every: number; readonly renew: (held: readonly T[]) => Promise<void> };
  /** Returns an entry that was not finished in time. */
  readonly release: (held: T) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export class FetchLoop<T> {
  readonly #options: FetchLoopOptions<T>;
  readonly #work: PQueue;
  readonly #held = new Set<T>();
  readonly #timers: NodeJS.Timeout[] = [];
  #state: 'new' | 'running' | 'stopped' = 'new';
  /** The current fetch, and whether another is to follow it. */
  #fetching: Promise<void> | null = null;
  #wakened = false;

  constructor(options: FetchLoopOptions<T>) {
    this.#options = options;
    this.#work = new PQueue({ concurrency: options.concurrency });
  }

  /** The entries that are being performed. */
  get held(): ReadonlySet<T> {
    return this.#held;
  }

  /** Number of further entries that could be performed. */
  get free(): number {
    return this.#options.concurrency - this.#held.size;
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    this.#timers.push(setInterval(() => this.wake(), POLL));
    const { renewal } = this.#options;
    if (renewal) this.#timers.push(setInterval(() => void this.renew(), renewal.every));
    this.wake();
  }

  wake(): void {
    if (this.#state === 'running') this.#look();
  }

  /** Renews the hold on all entries. */
  async renew(): Promise<void> {
    const { renewal, onError } = this.#options;
    await renewal?.renew([...this.#held]).catch(onError);
  }

  /** Performs all that waits, also before the start; returns when nothing is left. */
  async pass(): Promise<void> {
    this.#look();
    while (this.#fetching || this.#held.size > 0) {
      await this.#fetching;
      await this.#work.onIdle();
    }
  }

  /** Starts nothing more, and returns the entries that do not end within `patience` ms. */
  async drain(patience: number): Promise<void> {
    this.#state = 'stopped';
    await this.#fetching;
    await endsWithin(patience, this.#work.onIdle());
    for (const timer of this.#timers) clearInterval(timer);
    for (const held of this.#held) await this.#release(held);
  }

  #look(): void {
    if (this.#state === 'stopped') return;
    this.#wakened = true;
    this.#fetching ??= this.#fetch()
      .catch(this.#options.onError)
      .finally(() => {
        this.#fetching = null;
        // Wakened while the last answer was read.
        if (this.#wakened && this.free > 0) this.#look();
      });
  }

  async #fetch(): Promise<void> {
    const { fetch, inRounds = false } = this.#options;
    while (this.#wakened && this.#state !== 'stopped' && this.free > 0) {
      this.#wakened = false;
      const found = await fetch(this.free);
      for (const held of found) {
        if (this.#isStopped()) await this.#release(held);
        else {
          this.#held.add(held);
          void this.#work.add(() => this.#perform(held));
        }
      }
      if (inRounds && found.length > 0) this.#wakened = true;
    }
  }

  /** Asked anew after each wait, which a comparison would not be. */
  #isStopped(): boolean {
    return this.#state === 'stopped';
  }

  async #perform(held: T): Promise<void> {
    await this.#options.perform(held).catch(this.#options.onError);
    this.#held.delete(held);
    this.#look();
  }

  async #release(held: T): Promise<void> {
    await this.#options.release(held).catch(this.#options.onError);
  }
}
