// Shares a fixed amount of memory among tasks: each states how much it needs and starts when that much is free.
//
// First come, first served, so that small tasks cannot delay a large one for ever.

import { AppError } from '#base/errors.ts';

/** Most ms that a task waits for memory: less than a render's deadline, so that the caller still gets the error. */
const MAX_WAIT = 20_000;

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Tasks in this thread that are waiting for memory, and when one last waited long (`performance.now()`). */
let [waitingNow, lastWaited] = [0, Number.NEGATIVE_INFINITY];
/** A wait counts as long from this many ms. */
const LONG = 500;

/** Waits for memory and records the wait. */
export async function waitForMemory<T>(memory: Promise<T>): Promise<T> {
  const start = performance.now();
  waitingNow += 1;
  try {
    return await memory;
  } finally {
    waitingNow -= 1;
    if (performance.now() - start > LONG) lastWaited = performance.now();
  }
}

/** Whether a task waits for memory, or waited long within the last `ms`: current delays are then due to memory. */
export const hasWaitedForMemory = (ms: number): boolean => waitingNow > 0 || performance.now() - lastWaited <= ms;

/** A memory budget that may be shared with other threads. */
export interface SharedMemory {
  /** See `MemoryBudget.run`. */
  run<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

export class MemoryBudget implements SharedMemory {
  readonly #total: number;
  readonly #waiting = new Set<Waiting>();
  #used = 0;

  /** @param total bytes */
  constructor(total: number) {
    this.#total = total;
  }

  /**
   * Runs work that takes this many bytes; more than the total counts as the total.
   *
   * @param maxWait ms
   * @throws AppError `overloaded` when the memory does not become free in time
   */
  async run<T>(bytes: number, work: () => Promise<T>, maxWait = MAX_WAIT): Promise<T> {
    const taken = Math.min(bytes, this.#total);
    await this.#take(taken, maxWait);
    try {
      return await work();
    } finally {
      this.#used -= taken;
      this.#admit();
    }
  }

  async #take(bytes: number, maxWait: number): Promise<void> {
    if (this.#waiting.size === 0 && this.#used + bytes <= this.#total) {
      this.#used += bytes;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { bytes, start: resolve };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting);
      reject(waitedForMemory());
      this.#admit();
    }, maxWait);
    await waitForMemory(promise).finally(() => clearTimeout(timer));
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (this.#used + waiting.bytes > this.#total) return;
      this.#waiting.delete(waiting);
      this.#used += waiting.bytes;
      waiting.start();
    }
  }
}

/** The error after too long a wait. */
export const waitedForMemory = (cause?: unknown) =>
  new AppError('overloaded', 'Too many large images are waiting to be decoded; try again in a few seconds.', {
    retryAfter: 5,
    cause,
  });
