// The code points that a face can show: sorted ranges, and the compact text format that the catalogue stores.
//
// With this known in advance, a render need not open a font that it does not use.

/** Letters, digits and signs of ASCII, the space, and the ellipsis that layout may add. */
const PLAIN_TEXT = /^[ -~\u2026]*$/;
const PLAIN_CHARACTERS = [0x2026, ...Array.from({ length: 0x7f - 0x20 }, (_, i) => 0x20 + i)];

/** Whether a text has only characters that nearly every face has. */
export function hasCommonSigns(text: string): boolean {
  return PLAIN_TEXT.test(text);
}

export class Coverage {
  /** First and last code point of each range, ascending: start, end, start, end, … */
  readonly #bounds: Uint32Array;
  #hasPlainText: boolean | null = null;

  private constructor(bounds: Uint32Array) {
    this.#bounds = bounds;
  }

  static of(codePoints: Iterable<number>): Coverage {
    const bounds: number[] = [];
    for (const codePoint of [...codePoints].sort((a, b) => a - b)) {
      const last = bounds.length - 1;
      if (bounds.length > 0 && codePoint <= (bounds[last] ?? 0) + 1) bounds[last] = codePoint;
      else bounds.push(codePoint, codePoint);
    }
    return new Coverage(Uint32Array.from(bounds));
  }

  /** Parses the format of `toString`. */
  static parse(text: string): Coverage {
    const bounds: number[] = [];
    let at = 0;
    for (const range of text.split(' ')) {
      if (range === '') continue;
      const [gap = '', extent = '0'] = range.split('+');
      const start = at + Number.parseInt(gap, 36);
      at = start + Number.parseInt(extent, 36);
      bounds.push(start, at);
    }
    return new Coverage(Uint32Array.from(bounds));
  }

  has(codePoint: number): boolean {
    let low = 0;
    let high = this.#bounds.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (codePoint > (this.#bounds[2 * middle + 1] ?? 0)) low = middle + 1;
      else high = middle;
    }
    return codePoint >= (this.#bounds[2 * low] ?? Number.POSITIVE_INFINITY);
  }

  /** Whether it has all characters that `hasCommonSigns` accepts. */
  get hasPlainText(): boolean {
    this.#hasPlainText ??= PLAIN_CHARACTERS.every((codePoint) => this.has(codePoint));
    return this.#hasPlainText;
  }

  /** The number of code points. */
  get size(): number {
    let size = 0;
    for (let i = 0; i < this.#bounds.length; i += 2) size += (this.#bounds[i + 1] ?? 0) - (this.#bounds[i] ?? 0) + 1;
    return size;
  }

  /** One `gap` or `gap+extent` per range, base 36; the gap counts from the end of the range before. */
  toString(): string {
    const ranges: string[] = [];
    let at = 0;
    for (let i = 0; i < this.#bounds.length; i += 2) {
      const start = this.#bounds[i] ?? 0;
      const end = this.#bounds[i + 1] ?? start;
      const gap = (start - at).toString(36);
      ranges.push(end > start ? `${gap}+${(end - start).toString(36)}` : gap);
      at = end;
    }
    return ranges.join(' ');
  }
}
