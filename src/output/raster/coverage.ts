// An outline in, how much of each device pixel it covers out: the rasteriser's own answer, without starting it.
//
// The door to coverage.wasm, which is compiled from wasm/coverage.ts by `npm run kernel` and says how it is done.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point, Rect } from '#core/geometry.ts';
import type { FillRule, PathData } from '#core/path.ts';

/** How much of each pixel of a rectangle something covers; whole device px. */
export interface Mask extends Rect {
  /** Row by row. */
  readonly alphas: Uint8Array;
}

interface CoverageKernel {
  readonly memory: WebAssembly.Memory;
  cover(path: number, pathEnd: number, x: number, y: number, columns: number, rows: number, isEvenOdd: 0 | 1): number;
  trace(path: number, pathEnd: number, byX: number, byY: number): number;
  coverLetter(
    path: number,
    pathEnd: number,
    scale: number,
    slant: number,
    originX: number,
    originY: number,
    most: number,
  ): number;
}

const bytes = readFileSync(join(import.meta.dirname, 'coverage.wasm'));
const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as CoverageKernel;

const PAGE = 65_536;
/** Where the outline stands; what lies below is the kernel's own. */
const PATH = PAGE;
/** Numbers of the longest segment: its command and three points. */
const SEGMENT = 7;
const COMMANDS = { M: 0, L: 1, C: 2, Z: 3 } as const;

/** Pixels that are covered at once: the kernel's memory never shrinks. */
const MOST_PIXELS = 1 << 22;
/** Device px from an area's corner to what is covered: beyond, the kernel's places would not fit 32 bits. */
const FARTHEST = 8191;
/** Device px that an outline goes up and down in all, each of which is four crossings: some 5 ms. */
const LONGEST_CLIMB = 1 << 15;

/** Whether the kernel can tell the places of all that lies in an area. */
export function canCoverArea({ width, height }: Rect): boolean {
  return width <= FARTHEST && height <= FARTHEST;
}

/** Whether the kernel can tell an outline's places, and covers it in no time that anybody else would notice. */
export function canCover(path: PathData, area: Rect): boolean {
  let climb = 0;
  let before = area.y;
  for (const segment of path) {
    for (let i = 1; i < segment.length; i += 2) {
      const [x, y] = [Number(segment[i]), Number(segment[i + 1])];
      if (!(Math.abs(x - area.x) <= FARTHEST && Math.abs(y - area.y) <= FARTHEST)) return false;
      climb += Math.abs(y - before);
      before = y;
    }
  }
  return climb <= LONGEST_CLIMB;
}

/**
 * Alphas of the pixels of `area`, row by row.
 *
 * @param path in device px; its numbers are rounded to thousandths, as SVG text has them
 * @param area whole device px, from which the outline lies as near as `canCover` asks; what lies outside is left out,
 *   and the rest is covered as if it were not cut off
 */
export function coverPath(path: PathData, rule: FillRule, area: Rect): Uint8Array {
  const { x, y, width, height } = area;
  const end = write(path);
  const alphas = new Uint8Array(width * height);
  let rows = Math.max(1, Math.floor(MOST_PIXELS / width));
  for (let top = 0; top < height; ) {
    const count = Math.min(rows, height - top);
    const found = kernel.cover(PATH, end, x, y + top, width, count, rule === 'evenodd' ? 1 : 0);
    if (found === 0) {
      // An outline with so many edges is covered in parts.
      rows = count >> 1;
      continue;
    }
    alphas.set(new Uint8Array(kernel.memory.buffer, found, width * count), top * width);
    top += count;
  }
  return alphas;
}

/**
 * A letter, without the rows and columns at its edges that show nothing; null when nothing shows at all. One that is too
 * large to be covered at once reaches, as it is told here, beyond every canvas.
 *
 * @param outline in font units, y up; in px, its numbers are rounded to thousandths, as SVG text has them
 * @param scale thousandths of a px per font unit
 * @param slant how far to the right it leans, per height
 * @param origin where its own origin lies
 */
export function coverLetter(outline: PathData, scale: number, slant: number, origin: Point): Mask | null {
  const found = kernel.coverLetter(PATH, write(outline), scale, slant, origin.x, origin.y, MOST_PIXELS);
  const [x = 0, y = 0, width = 0, height = 0] = new Int32Array(kernel.memory.buffer, found, 4);
  if (width === 0) return null;
  if (width < 0) return { x, y, width: Infinity, height: Infinity, alphas: new Uint8Array(0) };
  return { x, y, width, height, alphas: new Uint8Array(kernel.memory.buffer, found + 16, width * height).slice() };
}

/**
 * A number that outlines have in common, and hardly ever others, which lie alike within their pixels: what they cover of
 * these is equal. The same outline elsewhere may be cut or rounded differently, by a hair, in single precision.
 *
 * @param path in device px, as `coverPath` takes it
 * @param by whole px by which the rasteriser moves it
 */
export function tracePath(path: PathData, by: Point): number {
  return kernel.trace(PATH, write(path), by.x, by.y);
}

/** Writes an outline where the kernel looks for it, and returns where it ends. */
function write(path: PathData): number {
  const missing = PATH + 8 * SEGMENT * path.length - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE));
  const numbers = new Float64Array(kernel.memory.buffer, PATH);
  let at = 0;
  for (const segment of path) {
    numbers[at++] = COMMANDS[segment[0]];
    for (let i = 1; i < segment.length; i++) numbers[at++] = segment[i] as number;
  }
  return PATH + 8 * at;
}
