// How things that lie along a line or a column crowd: told by strips across their longer side, as few as need be.

import type { Rect } from '#core/geometry.ts';

export class Columns {
  readonly #isUpright: boolean;
  readonly #start: number;
  readonly #perUnit: number;
  readonly #counts: Float64Array;

  private constructor(isUpright: boolean, start: number, length: number, count: number) {
    this.#isUpright = isUpright;
    this.#start = start;
    this.#perUnit = count / Math.max(length, Number.MIN_VALUE);
    this.#counts = new Float64Array(count);
  }

  /** @param area holds all that is to come, by and large */
  static across({ x, y, width, height }: Rect, count: number): Columns {
    return width >= height ? new Columns(false, x, width, count) : new Columns(true, y, height, count);
  }

  /** Counts something in each strip that it touches. */
  add({ x, y, width, height }: Rect, weight: number): void {
    const [from, length] = this.#isUpright ? [y, height] : [x, width];
    const first = this.#at(from);
    const last = this.#at(from + length);
    for (let i = first; i <= last; i++) this.#counts[i] = (this.#counts[i] ?? 0) + weight;
  }

  /** The most that was counted in a strip. */
  get most(): number {
    return this.#counts.reduce((most, count) => Math.max(most, count), 0);
  }

  /** The sum of the strips' squares: of things that lie in one strip, each with each. */
  get squares(): number {
    return this.#counts.reduce((sum, count) => sum + count * count, 0);
  }

  #at(place: number): number {
    return Math.min(Math.max(Math.floor((place - this.#start) * this.#perUnit) || 0, 0), this.#counts.length - 1);
  }
}
