// One of several threads that share a picture: takes its bands by turns with the others, from a common counter.

import type { Raster } from '../raster.ts';
import { type Band, BandEncoder } from './band-encoder.ts';

export interface BandJob {
  /** Its pixels are shared memory. */
  readonly raster: Raster;
  readonly channels: 3 | 4;
  /** The band to take next. */
  readonly next: Int32Array;
}

/** Bands by their numbers; null for one that was taken to be opaque and is not. */
export type BandReport = readonly (readonly [index: number, band: Band | null])[];

/** The counter of a picture that nobody needs to go on with. */
const OVER = 1 << 30;

/** Makes a band at each step, until none is left or one is not as opaque as it was taken to be. */
export function* takeBands({ raster, channels, next }: BandJob): Generator<BandReport[number]> {
  const encoder = new BandEncoder(raster, channels);
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    if (index >= encoder.count) return;
    const band = encoder.encode(index);
    if (!band) Atomics.store(next, 0, OVER);
    yield [index, band];
  }
}
