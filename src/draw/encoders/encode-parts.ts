// Encodes the bands of a PNG on several threads where that pays, and returns them in order.

import { runInSlices } from '#base/concurrency/time-slice.ts';
import { partThreads } from './part-threads.ts';
import type { Band, BandEncoder } from './png/band-encoder.ts';
import { type PartReport, takeParts } from './take-parts.ts';

/** Least pixels for which sharing with other threads pays: a millisecond of encoding and more. */
const SHARED_PIXELS = 200_000;

/**
 * @param known bands by index that need not be encoded
 * @returns null when the picture was assumed to be opaque and is not
 */
export async function encodeParts(
  encoder: BandEncoder,
  known: readonly (Band | undefined)[] = [],
): Promise<readonly Band[] | null> {
  const { raster, form, count } = encoder;
  const made = Array.from({ length: count }, (_, index) => known[index]);
  const parts = [...made.keys()].filter((index) => !made[index]);
  const isWhole = (all: readonly (Band | undefined)[]): all is Band[] => all.every((part) => part !== undefined);
  if (isWhole(made)) return made;
  const job = { raster, form, parts, next: new Int32Array(new SharedArrayBuffer(4)) };
  const { promise, resolve, reject } = Promise.withResolvers<readonly Band[] | null>();
  const gather = (report: PartReport) => {
    for (const [index, part] of report) {
      if (!part) return resolve(null);
      made[index] = part;
    }
    // A thread that comes too late to take a part is not waited for: on a busy machine that may take long.
    if (isWhole(made)) resolve(made);
  };
  const pixels = (raster.width * raster.height * parts.length) / count;
  const threads = pixels >= SHARED_PIXELS ? partThreads() : null;
  for (const report of threads?.take(job) ?? []) report.then(gather, reject);
  runInSlices(takeParts(encoder, job)).then(gather, reject);
  return promise;
}
