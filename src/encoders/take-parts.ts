// One of several threads that share a picture: takes its parts by turns with the others, from a common counter.

import type { Part, PartEncoder, PartWish } from './part.ts';
import { BandEncoder } from './png/band-encoder.ts';

/** A picture whose parts are to be made. */
export interface PartJob {
  readonly wish: PartWish;
  /** Of the parts. */
  readonly count: number;
  /** In shared memory: which to take next. */
  readonly next: Int32Array;
}

/** Parts by their numbers; null for one that was taken to be opaque and is not. */
export type PartReport<P extends Part = Part> = readonly (readonly [index: number, part: P | null])[];

/** The counter of a picture that nobody needs to go on with. */
const OVER = 1 << 30;

export const encoderOf = (wish: PartWish): PartEncoder<Part> => new BandEncoder(wish.raster, wish.channels);

/** Makes a part at each step, until none is left or one is not as opaque as it was taken to be. */
export function* takeParts<P extends Part>(
  encoder: PartEncoder<P>,
  { count, next }: Pick<PartJob, 'count' | 'next'>,
): Generator<PartReport<P>[number]> {
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    if (index >= count) return;
    const part = encoder.encode(index);
    if (!part) Atomics.store(next, 0, OVER);
    yield [index, part];
  }
}
