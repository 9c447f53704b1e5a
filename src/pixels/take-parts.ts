// One of several threads that share a picture: takes its parts by turns with the others, from a common counter.

import { StripEncoder } from './jpeg/strip-encoder.ts';
import { type Band, BandEncoder } from './png/band-encoder.ts';
import type { Raster } from './raster.ts';

/** The bands of a PNG, or the strips of a JPEG. */
export type PartWish =
  | { readonly kind: 'bands'; readonly raster: Raster; readonly channels: 3 | 4 }
  | { readonly kind: 'strips'; readonly raster: Raster; readonly quality: number };

/** A picture in shared memory. */
export type PartJob = PartWish & {
  /** The part to take next. */
  readonly next: Int32Array;
};

export type Part = Band | Uint8Array;

/** Parts by their numbers; null for one that was taken to be opaque and is not. */
export type PartReport = readonly (readonly [index: number, part: Part | null])[];

/** The counter of a picture that nobody needs to go on with. */
const OVER = 1 << 30;

const encoderOf = (job: PartJob) =>
  job.kind === 'bands' ? new BandEncoder(job.raster, job.channels) : new StripEncoder(job.raster, job.quality);

export const countParts = (job: PartJob) => encoderOf(job).count;

/** Makes a part at each step, until none is left or one is not as opaque as it was taken to be. */
export function* takeParts(job: PartJob): Generator<PartReport[number]> {
  const encoder = encoderOf(job);
  for (;;) {
    const index = Atomics.add(job.next, 0, 1);
    if (index >= encoder.count) return;
    const part = encoder.encode(index);
    if (!part) Atomics.store(job.next, 0, OVER);
    yield [index, part];
  }
}
