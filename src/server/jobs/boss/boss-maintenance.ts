// Runs scheduled duties on one of all nodes: pg-boss's cron enters each, and the first node to fetch it runs it.

import type { Storage } from '#server/storage/storage.ts';
import { FetchLoop } from './fetch-loop.ts';
import type { Boss, Held } from './open-boss.ts';

interface Duty {
  /** Cron expression with five fields, in UTC. */
  readonly cron: string;
  /**
   * @param signal stops between two steps
   */
  readonly perform: (signal: AbortSignal) => Promise<void>;
}

export interface BossMaintenanceOptions {
  readonly boss: Boss;
  readonly storage: Storage;
  readonly duties: Readonly<Record<string, Duty>>;
  readonly onError: (error: unknown) => void;
}

export class BossMaintenance {
  readonly #options: BossMaintenanceOptions;
  readonly #stop = new AbortController();
  readonly #loop: FetchLoop<Held>;

  constructor(options: BossMaintenanceOptions) {
    this.#options = options;
    const { boss, storage, onError } = options;
    this.#loop = new FetchLoop({
      hands: 1,
      fetch: (limit) => boss.fetch(storage, 'maintenance', { limit }),
      perform: (held) => this.#perform(held),
      touch: (held) => boss.touch('maintenance', held),
      release: (held) => boss.giveBack(storage, 'maintenance', [held]),
      onError,
    });
  }

  async start(): Promise<void> {
    const { boss, duties } = this.#options;
    for (const [name, { cron }] of Object.entries(duties)) await boss.schedule('maintenance', name, cron);
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
    await boss.complete(storage, 'maintenance', [held.id]);
  }
}
