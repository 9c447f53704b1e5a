// Measures the stages of a drawing, one after the other, in the thread that draws.

import type { StageTime } from '../trace.ts';

export class Stopwatch {
  readonly #laps: StageTime[] = [];
  #last = performance.now();

  /** What was done since the lap before was this stage. */
  lap(stage: StageTime['stage']): void {
    const now = performance.now();
    // Threads count from their own start: by the time of day they agree.
    this.#laps.push({ stage, start: performance.timeOrigin + this.#last, took: now - this.#last });
    this.#last = now;
  }

  /** In their order. */
  get laps(): readonly StageTime[] {
    return this.#laps;
  }
}
