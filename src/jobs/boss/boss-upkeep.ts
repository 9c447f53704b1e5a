// Runs scheduled duties on one of all nodes: pg-boss's cron enters each, and the first node to fetch it runs it.

import type { Storage } from '#storage/storage.ts';
import { FetchLoop } from './fetch-loop.ts';
import type { Boss, Held } from './open-boss.ts';

export interface Duty {
  /** Cron expression with five fields, in UTC. */
  readonly cron: string;
  /**
   * @param signal stops between two steps
   */
  readonly perform: (signal: AbortSignal) => Promise<void>;
}

export interface BossUpkeepOptions {
  readonly boss: Boss;
  readonly storage: Storage;
  readonly duties: Readonly<Record<string, Duty>>;
  readonly onError: (error: unknown) => void;
}

export class BossUpkeep {
  readonly #options: BossUpkeepOptions;
  readonly #stop = new AbortController();
  readonly #loop: FetchLoop<Held>;

  constructor(options: BossUpkeepOptions) {
    this.#options = options;
    const { boss, storage, onError } = options;
    this.#loop = new FetchLoop({
      hands: 1,
      fetch: (limit) => boss.fetch(storage, 'upkeep', { limit }),
      perform: (held) => this.#perform(held),
      touch: (held) => boss.touch('upkeep', held),
      release: (held) => boss.giveBack(storage, 'upkeep', [held]),
      onError,
    });
  }

  async start(): Promise<void> {
    const { boss, duties } = this.#options;
    for (const [name, { cron }] of Object.entries(duties)) await boss.schedule('upkeep', name, cron);
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async drain(patience: number): Promise<void> {
    this.#stop.abort();
    await this.#loop.drain(patience);
  }

  /** A duty that fails is repeated at its next scheduled time. */
  async #perform(held: Held): Promise<void> {
    const { boss, storage, duties, onError } = this.#options;
    const { key } = held.data as { readonly key: string };
    await duties[key]?.perform(this.#stop.signal).catch(onError);
    await boss.complete(storage, 'upkeep', [held.id]);
  }
}
