// Shares the processor of a drawing thread fairly between accounts (round robin).
//
// Jobs pause every few milliseconds; each turn of the event loop resumes one of them, accounts taking turns. So a small
// picture of one account waits for one time slice of another's, however many jobs that has, and messages are read in
// between.

import { RoundRobin } from '#base/concurrency/round-robin.ts';

export class CooperativeScheduler {
  readonly #stopped = new RoundRobin<() => void>();
  #isDue = false;

  /** Waits for the next turn of the account `whose`; the turn lasts until the caller awaits something. */
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
