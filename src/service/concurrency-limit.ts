// Limits how many tasks run at once for one key. Beyond the limit, tasks are refused rather than queued.

import { AppError } from '#errors';

export class ConcurrencyLimit {
  readonly #most: number;
  readonly #running = new Map<string, number>();

  /**
   * @param most tasks at once for one key; 0 = unlimited
   */
  constructor(most: number) {
    this.#most = most;
  }

  /** Runs `work` unless `most` tasks are running for `key`. @throws AppError `rate_limited`, or what `work` throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#most === 0) return work();
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#most) {
      const message = `Too many requests at once; at most ${this.#most} may be under way. Try again in 1 s.`;
      throw new AppError('rate_limited', message, { retryAfter: 1 });
    }
    this.#running.set(key, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    }
  }
}
