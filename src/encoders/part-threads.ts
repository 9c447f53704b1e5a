// A picture's parts on several threads at once, bands of a PNG, strips of a JPEG or rows of a WebP, the main thread among
// them: two halve the time of a file.
//
// All threads are handed every picture, whose pixels they share, and take its parts by turns from a common counter; so
// they end together, whatever a part costs, and pictures that wait are made in the order in which they came.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Raster } from '#images/raster.ts';
import type { Part } from './part.ts';
import type { PartJob, PartReport } from './take-parts.ts';
import type { RowJob, RowReport } from './webp/take-rows.ts';

type Job = PartJob | RowJob;
type Report = PartReport | RowReport | null;

/** Threads beyond these, besides the main one, find too few parts to pay for what they hold, about 10 MB each. */
const MOST_THREADS = 3;

class PartThread {
  readonly #worker = new Worker(new URL('./part-thread.ts', import.meta.url));
  readonly #waiting: PromiseWithResolvers<Report>[] = [];
  readonly #started = Promise.withResolvers<void>();
  isReady = false;

  constructor(onEnd: () => void) {
    this.#worker.on('message', (message: Report | 'ready') => {
      if (message === 'ready') {
        this.isReady = true;
        this.#started.resolve();
      } else this.#settle((asked) => asked.resolve(message));
    });
    this.#worker.on('error', (error) => {
      this.isReady = false;
      this.#started.resolve();
      while (this.#waiting.length > 0) this.#settle((asked) => asked.reject(error));
      onEnd();
    });
    // A listener for messages holds the process again: only behind it does this let go.
    this.#worker.unref();
  }

  /** Waits until it is ready, or has ended without. */
  async started(): Promise<void> {
    this.#worker.ref();
    await this.#started.promise;
    if (this.#waiting.length === 0) this.#worker.unref();
  }

  take(job: Job): Promise<Report> {
    const asked = Promise.withResolvers<Report>();
    this.#waiting.push(asked);
    // A process may end while the thread has nothing to do, and not before.
    this.#worker.ref();
    this.#worker.postMessage(job);
    return asked.promise;
  }

  #settle(how: (asked: PromiseWithResolvers<Report>) => void): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if (asked) how(asked);
  }
}

export class PartThreads {
  readonly #threads: readonly PartThread[];

  constructor(onEnd: () => void) {
    const count = Math.min(MOST_THREADS, availableParallelism() - 1);
    this.#threads = Array.from({ length: count }, () => new PartThread(onEnd));
  }

  get areReady(): boolean {
    return this.#threads.every(({ isReady }) => isReady);
  }

  async started(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.started()));
  }

  /** What each thread makes of the job: its own parts, which together may be none of them. */
  take<P extends Part>({ wish, ...job }: PartJob): readonly Promise<PartReport<P>>[] {
    const sharedJob = { ...job, wish: { ...wish, raster: shared(wish.raster) } };
    // What a job wishes for says of which kind its parts are.
    return this.#threads.map((thread) => thread.take(sharedJob) as Promise<PartReport<P>>);
  }

  /** What each thread decides of a WebP; null from one that met a pixel that is not opaque. */
  takeRows(job: RowJob): readonly Promise<RowReport | null>[] {
    const sharedJob = { ...job, raster: shared(job.raster) };
    return this.#threads.map((thread) => thread.take(sharedJob) as Promise<RowReport | null>);
  }
}

/** The same pixels where other threads can read them. */
function shared({ width, height, pixels }: Raster): Raster {
  if (pixels.buffer instanceof SharedArrayBuffer) return { width, height, pixels };
  const copy = new Uint8Array(new SharedArrayBuffer(pixels.length));
  copy.set(pixels);
  return { width, height, pixels: copy };
}

let started: PartThreads | null = null;

let areWanted = false;

/**
 * The threads; null until somebody has started them, where there is but one processor, and as long as they are starting.
 * One picture does not pay for threads of its own: a process that draws many starts them.
 */
export function partThreads(): PartThreads | null {
  const threads = areWanted ? startPartThreads() : null;
  return threads?.areReady ? threads : null;
}

/** Starts the threads, if there are to be any, and waits until they have started. */
export async function partThreadsReady(): Promise<void> {
  await startPartThreads()?.started();
}

/** Starts the threads, if there are to be any. */
export function startPartThreads(): PartThreads | null {
  areWanted = true;
  if (availableParallelism() < 2) return null;
  started ??= new PartThreads(() => {
    started = null;
  });
  return started;
}
