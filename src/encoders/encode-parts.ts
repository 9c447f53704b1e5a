// Encodes the parts of a file (bands of a PNG) on several threads where that pays, and returns them in order.

import { inTurns } from './in-turns.ts';
import type { Part, PartEncoder } from './part.ts';
import { partThreads } from './part-threads.ts';
import { type PartReport, takeParts } from './take-parts.ts';

/** Least pixels for which sharing with other threads pays: a millisecond of encoding and more. */
const SHARED_PIXELS = 200_000;

/**
 * @param known parts by index that need not be encoded
 * @returns null when the picture was assumed to be opaque and is not
 */
export async function encodeParts<P extends Part>(
  encoder: PartEncoder<P>,
  known: readonly (P | undefined)[] = [],
): Promise<readonly P[] | null> {
  const { wish, count } = encoder;
  const made = Array.from({ length: count }, (_, index) => known[index]);
  const parts = [...made.keys()].filter((index) => !made[index]);
  const isWhole = (all: readonly (P | undefined)[]): all is P[] => all.every((part) => part !== undefined);
  if (isWhole(made)) return made;
  const job = { wish, parts, next: new Int32Array(new SharedArrayBuffer(4)) };
  const { promise, resolve, reject } = Promise.withResolvers<readonly P[] | null>();
  const gather = (report: PartReport<P>) => {
    for (const [index, part] of report) {
      if (!part) return resolve(null);
      made[index] = part;
    }
    // A thread that comes too late to take a part is not waited for: on a busy machine that may take long.
    if (isWhole(made)) resolve(made);
  };
  const pixels = (wish.raster.width * wish.raster.height * parts.length) / count;
  const threads = pixels >= SHARED_PIXELS ? partThreads() : null;
  for (const report of threads?.take<P>(job) ?? []) report.then(gather, reject);
  inTurns(takeParts(encoder, job)).then(gather, reject);
  return promise;
}
