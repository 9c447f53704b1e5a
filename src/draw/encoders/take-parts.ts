// Runs on each of the threads that share a PNG: takes bands from a shared counter and encodes them.

import type { IndexedRaster, Raster } from '#draw/images/raster.ts';
import type { Band, BandEncoder, PngPixels } from './png/band-encoder.ts';

/** A picture of which some bands are to be encoded. */
export interface PartJob {
  readonly raster: Raster | IndexedRaster;
  readonly form: PngPixels;
  /** The bands to encode, by index. */
  readonly parts: readonly number[];
  /** In shared memory: the position in `parts` to take next. */
  readonly next: Int32Array;
}

/** Bands by index; null for one that was assumed to be opaque and is not. */
export type PartReport = readonly (readonly [index: number, part: Band | null])[];

/** Counter value that stops all threads. */
const OVER = 1 << 30;

/** Encodes one band per step, until none is left or one is not opaque as assumed. */
export function* takeParts(encoder: BandEncoder, { parts, next }: PartJob): Generator<undefined, PartReport> {
  const taken: (readonly [index: number, part: Band | null])[] = [];
  for (;;) {
    const index = parts[Atomics.add(next, 0, 1)];
    if (index === undefined) return taken;
    const part = encoder.encode(index);
    if (!part) Atomics.store(next, 0, OVER);
    taken.push([index, part]);
    yield;
  }
}
