// Splits long work on a thread into time slices, so that requests and deadlines on the same thread are served in
// between.
//
// The clock only decides when to pause; it does not affect the output.

import { setImmediate } from 'node:timers/promises';

/** The length of a slice, ms. */
const LENGTH = 5;

export class Turn {
  #start = performance.now();

  /** Whether the slice has ended; callers check it after each piece of work. */
  get isOver(): boolean {
    return performance.now() - this.#start > LENGTH;
  }

  /** Yields to the event loop, then starts a new slice. */
  async pass(): Promise<void> {
    await setImmediate();
    this.#start = performance.now();
  }
}
