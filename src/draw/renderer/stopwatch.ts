// Measures the consecutive stages of a render, in the drawing thread.

import type { StageTime } from '#base/trace.ts';

/** Is told which stage a thread works at. */
export type Begins = (stage: StageTime['stage']) => void;

export class Stopwatch {
  /** What was begun last. */
  stage: StageTime['stage'] = 'resolve';
  readonly #begins: Begins;
  readonly #laps: StageTime[] = [];
  #last = performance.now();

  /** @param begins called whenever a stage begins or goes on */
  constructor(begins: Begins) {
    this.#begins = begins;
  }

  begin(stage: StageTime['stage']): void {
    this.stage = stage;
    this.#begins(stage);
  }

  /** To be called after other jobs may have had the thread. */
  goOn(): void {
    this.#begins(this.stage);
  }

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
