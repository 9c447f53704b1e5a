// Limits how many tasks run at once for one key. Beyond the limit, tasks are refused rather than queued.

import { AppError } from '../errors.ts';

export class ConcurrencyLimit {
  readonly #most: number;
  readonly #running = new Map<string, number>();

  /**
   * @param most tasks at once for one key; 0 = unlimited
   */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts a task unless `most` tasks are running for `key`. Returns what ends it; to call that again does nothing.
   *
   * @throws AppError `rate_limited`
   */
  enter(key: string): () => void {
    if (this.#most === 0) return () => {};
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#most) {
      const message = `Too many requests at once; at most ${this.#most} may be under way. Try again in 1 s.`;
      throw new AppError('rate_limited', message, { retryAfter: 1 });
    }
    this.#running.set(key, running + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    };
  }
}
