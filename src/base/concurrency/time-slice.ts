// Splits long work on a thread into time slices, so that requests and deadlines on the same thread are served in
// between.
//
// The clock only decides when to pause; it does not affect the output.

import { nextTurn } from '#base/runtime.ts';

/** The length of a slice, ms. */
const LENGTH = 5;

export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  #start = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether the slice has ended; callers check it after each piece of work. */
  get isOver(): boolean {
    return performance.now() - this.#start > LENGTH;
  }

  /** Yields to the event loop, then starts a new slice. @throws the signal's reason, when it was aborted meanwhile */
  async next(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#start = performance.now();
  }
}

/** Runs work that is written as a generator of short steps, in time slices. */
export async function runInSlices<T>(steps: Generator<unknown, T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slice.isOver) await slice.next();
  }
}
