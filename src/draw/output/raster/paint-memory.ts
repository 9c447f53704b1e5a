// Allocates the kernels' memory for one picture as a stack: surfaces, masks and kernel arguments.
//
// An allocation lives until the memory is released back to an earlier mark. Operations nest, and so do their
// allocations.

import { IDENTITY, intersection, type Matrix, type Rect, roundOut } from '#core/geometry.ts';
import type { FillRule, PathData } from '#core/path.ts';
import { runToEnd } from '#core/steps.ts';
import type { Kernels } from './kernels.ts';
import { TooMuchToDraw } from './too-much-to-draw.ts';

/** Pixels in the memory, premultiplied RGBA: a part of the canvas, or of a group that is drawn on its own layer. */
export interface Surface {
  /** The area that it covers, device px. */
  readonly area: Rect;
  /** Address of the area's first pixel. */
  readonly start: number;
  /** Pixels from one row to the next. */
  readonly stride: number;
}

/** Start and end address; the end is exclusive. */
export interface MemoryRange {
  readonly from: number;
  readonly to: number;
}

/** An outline, and the matrix from its coordinates to device px. */
export interface PlacedOutline {
  readonly path: PathData;
  readonly matrix: Matrix;
}

/** Bytes of a page of WebAssembly memory. */
const PAGE = 65_536;
/** The kernels' own constants are below this address. */
const START = PAGE;
/** Bytes that kernels may read or write after an allocation. */
const BEYOND = 64;
/** Widest area that is covered at once: positions within it fit the kernel's fixed-point numbers. */
const WIDEST_COVER = 8_000;
/** Most numbers per segment: its command and three points. */
const SEGMENT = 7;
const COMMANDS = { M: 0, L: 1, C: 2, Z: 3 } as const;

export class PaintMemory {
  readonly kernels: Kernels;
  readonly #most: number;
  #top = START;
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);
  #floats = new Float32Array(0);
  #doubles = new Float64Array(0);

  /** @param most bytes that one picture may use */
  constructor(kernels: Kernels, most: number) {
    this.kernels = kernels;
    this.#most = most;
  }

  get bytes(): Uint8Array {
    return this.#renewed()[0];
  }

  /** Indexed by address / 4, like `floats`. */
  get words(): Uint32Array {
    this.#renewed();
    return this.#words;
  }

  get floats(): Float32Array {
    this.#renewed();
    return this.#floats;
  }

  /** The memory's size in bytes; it never shrinks. */
  get size(): number {
    return this.kernels.memory.buffer.byteLength;
  }

  mark(): number {
    return this.#top;
  }

  /** Frees everything that was allocated since the mark. */
  release(mark: number): void {
    this.#top = mark;
  }

  /**
   * Allocates bytes with undefined content and returns their address.
   *
   * @throws TooMuchToDraw when one picture would use too many
   */
  take(bytes: number): number {
    const at = (this.#top + 15) & ~15;
    this.#top = at + bytes + BEYOND;
    if (this.#top > this.#most) {
      throw new TooMuchToDraw('takes too much memory to draw; make it smaller or simpler');
    }
    const missing = this.#top - this.size;
    if (missing > 0) this.kernels.memory.grow(Math.ceil(missing / PAGE));
    return at;
  }

  /** Allocates and writes f32 numbers. */
  takeFloats(values: readonly number[]): number {
    const at = this.take(4 * values.length);
    this.floats.set(values, at / 4);
    return at;
  }

  /** Allocates a transparent surface. */
  takeSurface(area: Rect): Surface {
    const surface = this.takeUncleared(area);
    this.bytes.fill(0, surface.start, surface.start + 4 * area.width * area.height);
    return surface;
  }

  /** Allocates a surface with undefined content, for callers that paint over all of it. */
  takeUncleared(area: Rect): Surface {
    return { area, start: this.take(4 * area.width * area.height), stride: area.width };
  }

  /** Allocates an empty mask of an area. */
  takeMask({ width, height }: Rect): number {
    const at = this.take(width * height);
    this.bytes.fill(0, at, at + width * height);
    return at;
  }

  /** The mask of the light of a surface that was painted in tones of grey, on black. */
  maskOfLight({ area, start }: Surface): number {
    const count = area.width * area.height;
    const mask = this.take(count);
    const { bytes } = this;
    // Premultiplied, a tone is what it is on black.
    for (let i = 0; i < count; i++) bytes[mask + i] = bytes[start + 4 * i] as number;
    return mask;
  }

  /** Multiplies a mask by a factor, 0..1. */
  lighten(mask: number, { width, height }: Rect, factor: number): void {
    const alphas = this.bytes.subarray(mask, mask + width * height);
    for (const [i, alpha] of alphas.entries()) if (alpha > 0) alphas[i] = Math.round(alpha * factor);
  }

  /**
   * Computes how much of each pixel of an area an outline covers, one byte each, row by row.
   *
   * @param matrix from the outline's coordinates to device px
   * @param area whole device px
   */
  cover(path: PathData, rule: FillRule, matrix: Matrix, area: Rect): number {
    return runToEnd(this.coverInSteps(() => this.write(path, matrix), rule, area));
  }

  /**
   * `cover` in steps of some ten milliseconds.
   *
   * @param write writes the outline after the current allocations
   */
  *coverInSteps(write: () => MemoryRange, rule: FillRule, area: Rect): Generator<undefined, number> {
    const isEvenOdd = rule === 'evenodd';
    const { x, y, width, height } = area;
    const mark = this.mark();
    if (width <= WIDEST_COVER) {
      const { from, to } = write();
      const found = this.kernels.cover(from, to, x, y, width, height, isEvenOdd);
      if (found !== 0) {
        this.#top = found + width * height + BEYOND;
        return found;
      }
      this.release(mark);
    }
    // Too wide, or with too many edges, to be covered at once.
    const mask = this.take(width * height);
    const { from, to } = write();
    for (let left = 0; left < width; left += WIDEST_COVER) {
      const columns = Math.min(WIDEST_COVER, width - left);
      let most = height;
      for (let top = 0; top < height; ) {
        const rows = Math.min(most, height - top);
        const found = this.kernels.cover(from, to, x + left, y + top, columns, rows, isEvenOdd);
        if (found === 0) {
          most = rows >> 1;
          yield;
          continue;
        }
        const { bytes } = this;
        for (let row = 0; row < rows; row++) {
          const start = found + row * columns;
          bytes.copyWithin(mask + (top + row) * width + left, start, start + columns);
        }
        top += rows;
        yield;
      }
    }
    this.release(from);
    return mask;
  }

  /** Writes an outline in the kernels' form and returns its start and end. */
  write(path: PathData, matrix: Matrix = IDENTITY): MemoryRange {
    const from = this.take(8 * SEGMENT * path.length);
    this.#renewed();
    return { from, to: 8 * this.#put(path, matrix, from / 8) };
  }

  /** Writes several outlines as one, each with its own matrix. */
  writeAll(outlines: readonly PlacedOutline[]): MemoryRange {
    const from = this.take(8 * SEGMENT * outlines.reduce((sum, { path }) => sum + path.length, 0));
    this.#renewed();
    let at = from / 8;
    for (const { path, matrix } of outlines) at = this.#put(path, matrix, at);
    return { from, to: 8 * at };
  }

  /** Returns the index after the last number. */
  #put(path: PathData, [a, b, c, d, e, f]: Matrix, start: number): number {
    const numbers = this.#doubles;
    let at = start;
    for (const segment of path) {
      numbers[at++] = COMMANDS[segment[0]];
      for (let i = 1; i < segment.length; i += 2) {
        const x = segment[i] as number;
        const y = segment[i + 1] as number;
        numbers[at++] = a * x + c * y + e;
        numbers[at++] = b * x + d * y + f;
      }
    }
    return at;
  }

  /** Writes numbers that are in the kernels' form already. */
  writeNumbers(numbers: Float64Array): MemoryRange {
    const from = this.take(numbers.byteLength);
    this.#renewed();
    this.#doubles.set(numbers, from / 8);
    return { from, to: from + numbers.byteLength };
  }

  /** Renews the views: growing the memory detaches them. */
  #renewed(): [Uint8Array] {
    const { buffer } = this.kernels.memory;
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = new Uint8Array(buffer);
      this.#words = new Uint32Array(buffer);
      this.#floats = new Float32Array(buffer);
      this.#doubles = new Float64Array(buffer);
    }
    return [this.#bytes];
  }
}

/** Address of a pixel of the canvas. */
export function addressIn({ area, start, stride }: Surface, { x, y }: { x: number; y: number }): number {
  return start + 4 * ((y - area.y) * stride + (x - area.x));
}

/** The part of a surface that covers an area. */
export function partOf(surface: Surface, area: Rect): Surface {
  return { area, start: addressIn(surface, area), stride: surface.stride };
}

const EDGE = 1 / 64;

/** The whole pixels of an area that an outline may touch; null where it touches none. */
export function touchedBy(path: PathData, matrix: Matrix, area: Rect): Rect | null {
  const [a, b, c, d, e, f] = matrix;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const segment of path) {
    for (let i = 1; i < segment.length; i += 2) {
      const px = segment[i] as number;
      const py = segment[i + 1] as number;
      const x = a * px + c * py + e;
      const y = b * px + d * py + f;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  if (!(left <= right)) return null;
  // Slightly enlarged, because coverage is computed in single precision.
  const bounds = { x: left - EDGE, y: top - EDGE, width: right - left + 2 * EDGE, height: bottom - top + 2 * EDGE };
  return intersection(roundOut(bounds), area);
}
