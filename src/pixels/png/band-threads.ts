// A picture's bands on several threads at once, the main thread among them: two halve the time of a PNG.
//
// All threads are handed every picture, whose pixels they share, and take its bands by turns from a common counter; so
// they end together, whatever a band costs, and pictures that wait are made in the order in which they came.

import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Raster } from '../raster.ts';
import type { Band } from './band-encoder.ts';
import { type BandJob, type BandReport, takeBands } from './take-bands.ts';

/** Threads beyond these, besides the main one, find too few bands to pay for what they hold, about 10 MB each. */
const MOST_THREADS = 3;

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
    const count = Math.min(MOST_THREADS, availableParallelism() - 1);
    this.#threads = Array.from({ length: count }, () => new BandThread(onEnd));
  }

  get areReady(): boolean {
    return this.#threads.every(({ isReady }) => isReady);
  }

  /** Every band in order; null when the picture was taken to be opaque and is not. */
  async encode(raster: Raster, channels: 3 | 4): Promise<readonly Band[] | null> {
    const job = { raster: shared(raster), channels, next: new Int32Array(new SharedArrayBuffer(4)) };
    const reports = [...this.#threads.map((thread) => thread.take(job)), takeBandsBetween(job)];
    const bands: Band[] = [];
    for (const report of await Promise.all(reports)) {
      for (const [index, band] of report) {
        if (!band) return null;
        bands[index] = band;
      }
    }
    return bands;
  }
}

/** Takes bands in between what else the main thread has to do, each in about half a millisecond. */
async function takeBandsBetween(job: BandJob): Promise<BandReport> {
  const report: BandReport[number][] = [];
  for (const taken of takeBands(job)) {
    report.push(taken);
    await setImmediate();
  }
  return report;
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
