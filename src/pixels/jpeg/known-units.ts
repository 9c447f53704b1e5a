// What strips of a picture were coded to, kept for others on the same ground: the units of it that these show are copied.
//
// Nothing is coded for this alone. Each picture says what it showed of the ground, and the strip that showed most is kept.

import type { Rect } from '#core/geometry.ts';
import type { Ground, Part } from '../part.ts';

/** A strip in the kernel's own form, in shared memory: where its units lie, and their bits without stuffing. */
export interface CodedUnits extends Part {
  /** Units that may show anything but the ground. */
  readonly covered: number;
}

/** What is known of a picture on a ground. */
export interface KnownUnits {
  /** Where it may show anything but the ground, px. */
  readonly covered: readonly Rect[];
  /** By number. */
  readonly strips: readonly (CodedUnits | undefined)[];
}

const nameOf = (quality: number, index: number) => `jpeg ${quality} ${index} units`;

export function knownUnits({ covered, parts }: Ground, quality: number, count: number): KnownUnits {
  // What stands under such a name was put there by `keepUnits`.
  const strips = Array.from(
    { length: count },
    (_, index) => parts.get(nameOf(quality, index)) as CodedUnits | undefined,
  );
  return { covered, strips };
}

/** @param units by number of their strip; null where nothing new is to be learnt from it */
export function keepUnits({ parts }: Ground, quality: number, units: readonly (CodedUnits | null)[]): void {
  for (const [index, coded] of units.entries()) {
    if (coded) parts.set(nameOf(quality, index), coded);
  }
}
