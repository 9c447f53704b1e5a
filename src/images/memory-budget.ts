// Shares a fixed amount of memory among pieces of work: each states what it takes and starts when that much is free.
//
// First come, first served, so that a large piece is not passed over for ever by small ones.

import { AppError } from '#errors';

/** ms that work may wait for its memory: less than the deadline of a render, so that the caller can still be told. */
const MAX_WAIT = 20_000;

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Pieces of work in this thread that wait for memory, and when one last did for long (`performance.now()`). */
let [waitingNow, lastWaited] = [0, Number.NEGATIVE_INFINITY];
/** What is called long, ms. */
const LONG = 500;

/** Waits for memory, and notes that it did. */
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

/** Whether work waits for memory, or did so for long within the last `ms`: what is late then, is late for want of memory. */
export const hasWaitedForMemory = (ms: number): boolean => waitingNow > 0 || performance.now() - lastWaited <= ms;

/** Memory that is shared by more than this thread can see. */
export interface SharedMemory {
  /** As `MemoryBudget.run`. */
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
   * Runs work that takes so many bytes. More than there are in all count as all of them.
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

/** What whoever waited too long is told. */
export const waitedForMemory = (cause?: unknown) =>
  new AppError('overloaded', 'Too many large images are waiting to be decoded; try again in a few seconds.', {
    retryAfter: 5,
    cause,
  });
