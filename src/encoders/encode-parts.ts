// Encodes the parts of a file (bands of a PNG) in order, on several threads where that pays.

import { setImmediate } from 'node:timers/promises';
import type { Part, PartEncoder } from './part.ts';
import { partThreads } from './part-threads.ts';
import { type PartReport, takeParts } from './take-parts.ts';

/** Pixels from which the way to other threads and back is worth it: 2 ms of encoding and more. */
const SHARED_PIXELS = 450_000;
/** How long parts are taken without a break, ms. */
const STRETCH_MS = 8;

/** @returns null when the picture was taken to be opaque and is not */
export async function encodeParts<P extends Part>(encoder: PartEncoder<P>): Promise<readonly P[] | null> {
  const { wish, count } = encoder;
  const job = { wish, count, next: new Int32Array(new SharedArrayBuffer(4)) };
  const made: P[] = [];
  let missing = count;
  const { promise, resolve, reject } = Promise.withResolvers<readonly P[] | null>();
  const gather = (report: PartReport<P>) => {
    for (const [index, part] of report) {
      if (!part) return resolve(null);
      made[index] = part;
      missing--;
    }
    // A thread that came too late to take a part is not waited for: on a busy machine it may be long in coming.
    if (missing === 0) resolve(made);
  };
  const threads = wish.raster.width * wish.raster.height >= SHARED_PIXELS ? partThreads() : null;
  for (const report of threads?.take<P>(job) ?? []) report.then(gather, reject);
  takeBetween(takeParts(encoder, job)).then(gather, reject);
  return promise;
}

/** Takes parts in between what else the thread has to do, which a large picture must not keep waiting. */
async function takeBetween<T>(steps: Iterable<T>): Promise<T[]> {
  const taken: T[] = [];
  let since = performance.now();
  for (const step of steps) {
    taken.push(step);
    if (performance.now() - since < STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return taken;
}
