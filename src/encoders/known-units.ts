// What parts of a file were coded to, unit by unit, kept for others on the same ground: the units of it that these show
// are copied.
//
// Nothing is coded for this alone. Each picture says what it showed of the ground, and the part that showed most is kept.

import type { Rect, Size } from '#core/geometry.ts';
import type { Ground, Part } from './part.ts';

/** A part in its kernel's own form, in shared memory: its bits as they are before the file's frame, and whose they are. */
export interface CodedUnits extends Part {
  /** Units that may show anything but the ground. */
  readonly covered: number;
}

/** What is known of a picture on a ground. */
export interface KnownUnits {
  /** Where it may show anything but the ground, px. */
  readonly covered: readonly Rect[];
  /** By number of their part. */
  readonly parts: readonly (CodedUnits | undefined)[];
}

/** A part that says what it showed of the ground. */
export interface PartOfUnits extends Part {
  /** Its units, where they show more of the ground than those that are known. */
  readonly units: CodedUnits | null;
}

const nameOf = (format: string, index: number) => `${format} ${index} units`;

/**
 * @param format the file's, with whatever else its parts follow from
 * @param count of its parts
 */
export function knownUnits({ covered, parts }: Ground, format: string, count: number): KnownUnits {
  // What stands under such a name was put there by `keepUnits`.
  const known = Array.from({ length: count }, (_, index) => parts.get(nameOf(format, index)) as CodedUnits | undefined);
  return { covered, parts: known };
}

export function keepUnits(ground: Ground, format: string, parts: readonly PartOfUnits[]): void {
  for (const [index, { units }] of parts.entries()) {
    if (units) ground.parts.set(nameOf(format, index), units);
  }
}

/**
 * A part's units as they may be kept, a copy that other threads can read.
 *
 * @param covered how many of them are
 * @param least keeps what is known of a part if no more of that is covered
 * @returns null where nothing is to be learnt from it: a part of which nothing is covered is kept as a whole
 */
export function learntUnits(bytes: Uint8Array, covered: number, least: number): CodedUnits | null {
  if (covered === 0 || covered >= least) return null;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return { bytes: copy, covered };
}

/** How rows of a picture are cut into units, px. */
export interface UnitGrid {
  /** Of the picture. */
  readonly width: number;
  /** The first row. */
  readonly from: number;
  readonly unit: Size;
  /** How much further to the right and down a pixel is seen. */
  readonly reach: number;
}

/** @param marks becomes 1 for each unit of some rows that may follow from anything but the ground, else 0 */
export function markCovered(marks: Uint8Array, covered: readonly Rect[], { width, from, unit, reach }: UnitGrid): void {
  const across = Math.ceil(width / unit.width);
  const down = marks.length / across;
  marks.fill(0);
  for (const rect of covered) {
    const left = Math.max(0, Math.floor(rect.x / unit.width));
    const right = Math.min(across, Math.ceil((rect.x + rect.width + reach) / unit.width));
    const bottom = Math.min(down, Math.ceil((rect.y + rect.height + reach - from) / unit.height));
    if (left >= right) continue;
    for (let row = Math.max(0, Math.floor((rect.y - from) / unit.height)); row < bottom; row++) {
      marks.fill(1, across * row + left, across * row + right);
    }
  }
}
