// Runs on each of the threads that share a picture: takes parts from a shared counter and encodes them.

import type { Part, PartEncoder, PartWish } from './part.ts';
import { BandEncoder } from './png/band-encoder.ts';

/** A picture of which some parts are to be encoded. */
export interface PartJob {
  readonly wish: PartWish;
  /** The parts to encode, by index. */
  readonly parts: readonly number[];
  /** In shared memory: the position in `parts` to take next. */
  readonly next: Int32Array;
}

/** Parts by index; null for a part that was assumed to be opaque and is not. */
export type PartReport<P extends Part = Part> = readonly (readonly [index: number, part: P | null])[];

/** Counter value that stops all threads. */
const OVER = 1 << 30;

export const encoderOf = (wish: PartWish): PartEncoder<Part> => new BandEncoder(wish.raster, wish.form);

/** Encodes one part per step, until none is left or one is not opaque as assumed. */
export function* takeParts<P extends Part>(
  encoder: PartEncoder<P>,
  { parts, next }: Pick<PartJob, 'parts' | 'next'>,
): Generator<undefined, PartReport<P>> {
  const taken: (readonly [index: number, part: P | null])[] = [];
  for (;;) {
    const index = parts[Atomics.add(next, 0, 1)];
    if (index === undefined) return taken;
    const part = encoder.encode(index);
    if (!part) Atomics.store(next, 0, OVER);
    taken.push([index, part]);
    yield;
  }
}
