// Two renderers, so that what is quick never waits behind what is slow: shaping 100,000 characters holds a thread for
// the better part of a second, and nothing can interrupt it.
//
// The second renderer has fonts and memory of its own, and is opened for the first slow job.

import type {
  Drawing,
  DrawingJob,
  InspectedFile,
  MeasuredLayout,
  Renderer,
  RendererStatus,
  Subject,
  Supplies,
} from './renderer.ts';

/** What may hold up a quick job, ms (`Subject.time`): a card takes some 5. */
const QUICK = 40;

export const isSlow = ({ time }: Pick<Subject, 'time'>) => time > QUICK;

export class TwoLanes implements Renderer {
  readonly #quick: Renderer;
  readonly #openSlow: () => Renderer;
  #slow: Renderer | null = null;
  #busy = 0;

  constructor(quick: Renderer, openSlow: () => Renderer) {
    this.#quick = quick;
    this.#openSlow = openSlow;
  }

  draw(job: DrawingJob, supplies: Supplies, signal: AbortSignal): Promise<Drawing> {
    return this.#in(job, (lane) => lane.draw(job, supplies, signal));
  }

  measure(subject: Subject, supplies: Supplies, signal: AbortSignal): Promise<MeasuredLayout> {
    return this.#in(subject, (lane) => lane.measure(subject, supplies, signal));
  }

  /** What is heavy of it is done in a process of its own, and so holds up nobody. */
  inspect(file: Uint8Array): Promise<InspectedFile> {
    return this.#quick.inspect(file);
  }

  warmUp(): Promise<void> {
    return this.#quick.warmUp();
  }

  async status(): Promise<RendererStatus> {
    const quick = await this.#quick.status();
    // A thread that is busy would answer late, and its work is in none of the figures then.
    return { ...quick, running: quick.running + this.#busy };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#quick[Symbol.asyncDispose](), this.#slow?.[Symbol.asyncDispose]()]);
  }

  async #in<T>(subject: Subject, work: (lane: Renderer) => Promise<T>): Promise<T> {
    if (!isSlow(subject)) return work(this.#quick);
    this.#slow ??= this.#openSlow();
    this.#busy += 1;
    try {
      return await work(this.#slow);
    } finally {
      this.#busy -= 1;
    }
  }
}
