// Work in pieces in, pauses out in which others on the same thread get their turn: their requests, their deadlines.
//
// The clock decides when to pause and nothing else.

import { setImmediate } from 'node:timers/promises';

/** Milliseconds. */
const LENGTH = 5;

export class Turn {
  #start = performance.now();

  /** Whether it has been long enough: asked after each piece. */
  get isOver(): boolean {
    return performance.now() - this.#start > LENGTH;
  }

  /** Lets everybody else go first, then starts anew. */
  async pass(): Promise<void> {
    await setImmediate();
    this.#start = performance.now();
  }
}
