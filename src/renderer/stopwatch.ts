// Measures the consecutive stages of a render, in the drawing thread.

import type { StageTime } from '#observability/trace.ts';

export class Stopwatch {
  readonly #laps: StageTime[] = [];
  #last = performance.now();

  /** Records the time since the previous lap as this stage. */
  lap(stage: StageTime['stage']): void {
    const now = performance.now();
    // performance.now() counts from each thread's own start; adding timeOrigin makes times comparable.
    this.#laps.push({ stage, start: performance.timeOrigin + this.#last, took: now - this.#last });
    this.#last = now;
  }

  /** The stages in order. */
  get laps(): readonly StageTime[] {
    return this.#laps;
  }
}
