// A picture's bands on several threads at once: two halve the time of a PNG, and the main thread has none of it.
//
// All threads are handed every picture, whose pixels they share, and take its bands by turns from a common counter; so
// they end together, whatever a band costs, and pictures that wait are made in the order in which they came.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Raster } from '../raster.ts';
import type { Band } from './band-encoder.ts';

export interface BandJob {
  /** Its pixels are shared memory. */
  readonly raster: Raster;
  readonly channels: 3 | 4;
  /** The band to take next. */
  readonly next: Int32Array;
}

/** Bands by their numbers; null when the picture was taken to be opaque and is not. */
export type BandReport = readonly (readonly [index: number, band: Band])[] | null;

/** Threads beyond these find too few bands to pay for what they hold, about 10 MB each. */
const MOST_THREADS = 4;

class BandThread {
  readonly #worker = new Worker(new URL('./band-thread.ts', import.meta.url));
  readonly #waiting: PromiseWithResolvers<BandReport>[] = [];
  isReady = false;

  constructor(onEnd: () => void) {
    this.#worker.on('message', (message: BandReport | 'ready') => {
      if (message === 'ready') this.isReady = true;
      else this.#settle((asked) => asked.resolve(message));
    });
    this.#worker.on('error', (error) => {
      this.isReady = false;
      while (this.#waiting.length > 0) this.#settle((asked) => asked.reject(error));
      onEnd();
    });
    // A listener for messages holds the process again: only behind it does this let go.
    this.#worker.unref();
  }

  take(job: BandJob): Promise<BandReport> {
    const asked = Promise.withResolvers<BandReport>();
    this.#waiting.push(asked);
    // A process may end while the thread has nothing to do, and not before.
    this.#worker.ref();
    this.#worker.postMessage(job);
    return asked.promise;
  }

  #settle(how: (asked: PromiseWithResolvers<BandReport>) => void): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if (asked) how(asked);
  }
}

class BandThreads {
  readonly #threads: readonly BandThread[];

  constructor(onEnd: () => void) {
    const count = Math.min(MOST_THREADS, availableParallelism());
    this.#threads = Array.from({ length: count }, () => new BandThread(onEnd));
  }

  get areReady(): boolean {
    return this.#threads.every(({ isReady }) => isReady);
  }

  /** Every band in order; null when the picture was taken to be opaque and is not. */
  async encode(raster: Raster, channels: 3 | 4): Promise<readonly Band[] | null> {
    const next = new Int32Array(new SharedArrayBuffer(4));
    const job = { raster: shared(raster), channels, next };
    const reports = await Promise.all(this.#threads.map((thread) => thread.take(job)));
    const bands: Band[] = [];
    for (const report of reports) {
      if (report === null) return null;
      for (const [index, band] of report) bands[index] = band;
    }
    return bands;
  }
}

function shared(raster: Raster): Raster {
  if (raster.pixels.buffer instanceof SharedArrayBuffer) return raster;
  const pixels = new Uint8Array(new SharedArrayBuffer(raster.pixels.length));
  pixels.set(raster.pixels);
  return { ...raster, pixels };
}

let started: BandThreads | null = null;

/** The threads, started by the first who asks; null where there is but one processor, or as long as they are starting. */
export function bandThreads(): BandThreads | null {
  if (availableParallelism() < 2) return null;
  started ??= new BandThreads(() => {
    started = null;
  });
  return started.areReady ? started : null;
}
