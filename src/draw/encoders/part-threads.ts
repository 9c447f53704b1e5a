// Encodes the parts of a picture, bands of a PNG or rows of a WebP, on several threads including the main thread: two
// threads halve the time of a file.
//
// All threads get every picture, whose pixels are in shared memory, and take its parts from a shared counter. So they
// finish together, whatever a part costs, and waiting pictures are encoded in order of arrival.

import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { YOUNG } from '#base/concurrency/young-generation.ts';
import { areShareable } from '#draw/images/pixel-pool.ts';
import type { IndexedRaster, Raster } from '#draw/images/raster.ts';
import type { PartJob, PartReport } from './take-parts.ts';
import type { RowJob, RowReport } from './webp/take-rows.ts';

type Job = PartJob | RowJob;
type Report = PartReport | RowReport | null;

/** Most threads besides the main one. More would find too few parts to be worth the about 10 MB that each uses. */
const MOST_THREADS = 3;

/** The module is loaded here because a process that draws one picture starts no thread. */
function startWorker(): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  return new Worker(new URL('./part-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG.helping },
  });
}

class PartThread {
  readonly #worker = startWorker();
  readonly #waiting: PromiseWithResolvers<Report>[] = [];
  readonly #started = Promise.withResolvers<void>();
  #isRetired = false;
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
    // A message listener keeps the process alive, so `unref` comes after it.
    this.#worker.unref();
  }

  /** Waits until the thread is ready or has failed. */
  async started(): Promise<void> {
    this.#worker.ref();
    await this.#started.promise;
    if (this.#waiting.length === 0) this.#worker.unref();
  }

  take(job: Job): Promise<Report> {
    const asked = Promise.withResolvers<Report>();
    this.#waiting.push(asked);
    // The process may exit only while the thread is idle.
    this.#worker.ref();
    this.#worker.postMessage(job);
    return asked.promise;
  }

  /** Ends the thread after the work that it has. */
  retire(): void {
    this.#isRetired = true;
    this.isReady = false;
    this.#started.resolve();
    if (this.#waiting.length === 0) this.#rest();
  }

  #settle(how: (asked: PromiseWithResolvers<Report>) => void): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#rest();
    if (asked) how(asked);
  }

  #rest(): void {
    if (this.#isRetired) void this.#worker.terminate();
    else this.#worker.unref();
  }
}

/** @param onEnd called when a thread has failed, and all of them end */
export class PartThreads {
  readonly #threads: readonly PartThread[];

  constructor(onEnd: () => void) {
    const count = Math.min(MOST_THREADS, availableParallelism() - 1);
    // If one fails, the others end too: all are started anew.
    const end = () => {
      for (const thread of this.#threads) thread.retire();
      onEnd();
    };
    this.#threads = Array.from({ length: count }, () => new PartThread(end));
  }

  get areReady(): boolean {
    return this.#threads.every(({ isReady }) => isReady);
  }

  async started(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.started()));
  }

  /** Returns each thread's parts, which may be none; nothing for a picture that is too large to share. */
  take(job: PartJob): readonly Promise<PartReport>[] {
    const { raster } = job;
    if (!areShareable('indices' in raster ? raster.indices : raster.pixels)) return [];
    const sharedJob = { ...job, raster: 'indices' in raster ? sharedIndices(raster) : shared(raster) };
    return this.#threads.map((thread) => thread.take(sharedJob) as Promise<PartReport>);
  }

  /** Returns each thread's decisions for a WebP; null from a thread that found a pixel that is not opaque. */
  takeRows(job: RowJob): readonly Promise<RowReport | null>[] {
    const sharedJob = { ...job, raster: shared(job.raster) };
    return this.#threads.map((thread) => thread.take(sharedJob) as Promise<RowReport | null>);
  }
}

/** The same pixels in shared memory. */
const shared = ({ width, height, pixels }: Raster): Raster => ({ width, height, pixels: sharedBytes(pixels) });

const sharedIndices = ({ width, height, colors, indices }: IndexedRaster): IndexedRaster => ({
  ...{ width, height, colors },
  indices: sharedBytes(indices),
});

function sharedBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

let started: PartThreads | null = null;

let areWanted = false;

/**
 * The threads; null until they have been requested, while they start, and where there is only one processor. Starting
 * them does not pay for one picture, so processes that draw many request them.
 */
export function partThreads(): PartThreads | null {
  const threads = areWanted ? startPartThreads() : null;
  return threads?.areReady ? threads : null;
}

/** Starts the threads, if there is more than one processor, and waits until they are ready. */
export async function partThreadsReady(): Promise<void> {
  await startPartThreads()?.started();
}

/** Starts the threads; null where there is only one processor. */
export function startPartThreads(): PartThreads | null {
  areWanted = true;
  if (availableParallelism() < 2) return null;
  started ??= new PartThreads(() => {
    started = null;
  });
  return started;
}
