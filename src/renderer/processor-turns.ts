// Shares the processor of a drawing thread between accounts: its jobs stop every few milliseconds, and of those that
// stopped one goes on in each turn of the event loop, accounts in turn. So a small picture of one account waits for one
// stretch of another's, however many of those are being drawn, and messages are read in between.

import { RoundRobin } from '../round-robin.ts';

export class ProcessorTurns {
  readonly #stopped = new RoundRobin<() => void>();
  #isDue = false;

  /** Waits for the next turn of whoever this is; it lasts until the caller awaits something. */
  pause(whose: string): Promise<void> {
    return new Promise((resolve) => {
      this.#stopped.push(whose, resolve);
      this.#comeBack();
    });
  }

  #comeBack(): void {
    if (this.#isDue || this.#stopped.isEmpty) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#stopped.shift()?.();
      this.#comeBack();
    });
  }
}
