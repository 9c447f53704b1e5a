// The parts of a picture's file in order: those that show nothing new are kept, the others are made, by several threads
// where that is worth the way there and back.

import { setImmediate } from 'node:timers/promises';
import type { Ground, Part, PartEncoder } from './part.ts';
import { partThreads } from './part-threads.ts';
import { type PartReport, takeParts } from './take-parts.ts';

/** Pixels from which the way to other threads and back is worth it: 2 ms of encoding and more. */
const SHARED_PIXELS = 450_000;
/** How long parts are taken without a break, ms. */
const STRETCH_MS = 8;

/** @returns null when the picture was taken to be opaque and is not */
export async function encodeParts<P extends Part>(
  encoder: PartEncoder<P>,
  ground: Ground | null,
): Promise<readonly P[] | null> {
  const names = standingNames(encoder, ground);
  // What stands under a part's name is of its kind.
  const parts = names.map((name) => (name === null ? undefined : ground?.parts.get(name)) as P | undefined);
  const missing = [...parts.keys()].filter((index) => parts[index] === undefined);
  const made = await makeParts(encoder, missing);
  if (!made) return null;
  return parts.map((kept, index) => {
    const part = kept ?? made.get(index);
    if (!part) throw new Error(`Part ${index} was not made.`);
    const name = names[index];
    if (!kept && name) ground?.parts.set(name, part);
    return part;
  });
}

/** By part: the name of what follows from the ground alone, else null. */
function standingNames(encoder: PartEncoder<Part>, ground: Ground | null): readonly (string | null)[] {
  return Array.from({ length: encoder.count }, (_, index) => {
    const { from, to } = encoder.rowsOf(index);
    const stands = ground?.covered.every(({ y, height }) => y >= to || y + height <= from);
    return stands ? encoder.nameOf(index) : null;
  });
}

/** By number; null when the picture was taken to be opaque and is not. */
async function makeParts<P extends Part>(
  encoder: PartEncoder<P>,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, P> | null> {
  const made = new Map<number, P>();
  if (wanted.length === 0) return made;
  const job = { wish: encoder.wish, wanted, next: new Int32Array(new SharedArrayBuffer(4)) };
  const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<number, P> | null>();
  const gather = (report: PartReport<P>) => {
    for (const [index, part] of report) {
      if (!part) return resolve(null);
      made.set(index, part);
    }
    // A thread that came too late to take a part is not waited for: on a busy machine it may be long in coming.
    if (made.size === wanted.length) resolve(made);
  };
  const pixels = wanted.reduce((sum, index) => sum + encoder.pixelsOf(index), 0);
  const threads = pixels >= SHARED_PIXELS ? partThreads() : null;
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
