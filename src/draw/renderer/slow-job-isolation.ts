// Uses two renderers, so that quick jobs never wait for slow ones: shaping 100,000 characters blocks a thread for most
// of a second, and cannot be interrupted.
//
// The second renderer has its own fonts and memory, and is opened for the first slow job.

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

/** The longest blocking time of a quick job, ms (`Subject.time`); a card takes some 5. */
const QUICK = 40;

export const isSlow = ({ time }: Pick<Subject, 'time'>) => time > QUICK;

export class SlowJobIsolation implements Renderer {
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

  /** Its heavy work is done in a separate process, and so does not delay other jobs. */
  inspect(file: Uint8Array): Promise<InspectedFile> {
    return this.#quick.inspect(file);
  }

  warmUp(): Promise<void> {
    return this.#quick.warmUp();
  }

  async status(): Promise<RendererStatus> {
    const quick = await this.#quick.status();
    // The slow renderer is not asked, since it answers late while it is busy: its jobs are counted here.
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
