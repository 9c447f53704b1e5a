// A picture's parts on several threads at once, bands of a PNG or strips of a JPEG, the main thread among them: two halve
// the time of a file.
//
// All threads are handed every picture, whose pixels they share, and take its parts by turns from a common counter; so
// they end together, whatever a part costs, and pictures that wait are made in the order in which they came.

import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Band } from './png/band-encoder.ts';
import type { Raster } from './raster.ts';
import { countParts, type Part, type PartJob, type PartReport, type PartWish, takeParts } from './take-parts.ts';

/** Threads beyond these, besides the main one, find too few parts to pay for what they hold, about 10 MB each. */
const MOST_THREADS = 3;

class PartThread {
  readonly #worker = new Worker(new URL('./part-thread.ts', import.meta.url));
  readonly #waiting: PromiseWithResolvers<PartReport>[] = [];
  isReady = false;

  constructor(onEnd: () => void) {
    this.#worker.on('message', (message: PartReport | 'ready') => {
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

  take(job: PartJob): Promise<PartReport> {
    const asked = Promise.withResolvers<PartReport>();
    this.#waiting.push(asked);
    // A process may end while the thread has nothing to do, and not before.
    this.#worker.ref();
    this.#worker.postMessage(job);
    return asked.promise;
  }

  #settle(how: (asked: PromiseWithResolvers<PartReport>) => void): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if (asked) how(asked);
  }
}

class PartThreads {
  readonly #threads: readonly PartThread[];

  constructor(onEnd: () => void) {
    const count = Math.min(MOST_THREADS, availableParallelism() - 1);
    this.#threads = Array.from({ length: count }, () => new PartThread(onEnd));
  }

  get areReady(): boolean {
    return this.#threads.every(({ isReady }) => isReady);
  }

  /** Every band of a PNG in order; null when the picture was taken to be opaque and is not. */
  async encodeBands(raster: Raster, channels: 3 | 4): Promise<readonly Band[] | null> {
    return (await this.#share({ kind: 'bands', raster, channels })) as readonly Band[] | null;
  }

  /** Every strip of a JPEG in order. */
  async encodeStrips(raster: Raster, quality: number): Promise<readonly Uint8Array[]> {
    return (await this.#share({ kind: 'strips', raster, quality })) as readonly Uint8Array[];
  }

  /** Every part in order; null when the picture was taken to be opaque and is not. */
  async #share(wish: PartWish): Promise<readonly Part[] | null> {
    const next = new Int32Array(new SharedArrayBuffer(4));
    const job = { ...wish, raster: shared(wish.raster), next };
    const parts: Part[] = [];
    let missing = countParts(job);
    const { promise, resolve, reject } = Promise.withResolvers<readonly Part[] | null>();
    const gather = (report: PartReport) => {
      for (const [index, part] of report) {
        if (!part) return resolve(null);
        parts[index] = part;
        missing -= 1;
      }
      // A thread that came too late to take a part is not waited for: on a busy machine it may be long in coming.
      if (missing === 0) resolve(parts);
    };
    for (const thread of this.#threads) thread.take(job).then(gather, reject);
    takePartsBetween(job).then(gather, reject);
    return promise;
  }
}

/** Takes parts in between what else the main thread has to do, each in half a millisecond or less. */
async function takePartsBetween(job: PartJob): Promise<PartReport> {
  const report: PartReport[number][] = [];
  for (const taken of takeParts(job)) {
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

let started: PartThreads | null = null;

/** The threads, started by the first who asks; null where there is but one processor, or as long as they are starting. */
export function partThreads(): PartThreads | null {
  if (availableParallelism() < 2) return null;
  started ??= new PartThreads(() => {
    started = null;
  });
  return started.areReady ? started : null;
}
