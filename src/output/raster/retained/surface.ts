// Pixels that others are laid over: RGBA, premultiplied, src-over with every product rounded to the nearest.
//
// Two channels are worked on in one integer, each in 16 bits of it, so that a pixel takes two multiplications.

import { intersection, type Rect } from '#core/geometry.ts';
import { blendPixels } from '#pixels/blend-pixels.ts';
import type { Mask } from './mask.ts';

/** Device pixels at a place: `x` and `y` are whole px on the canvas. */
export interface Tile extends Rect {
  /** RGBA, premultiplied; one integer a pixel. */
  readonly pixels: Uint32Array;
  /** True when no pixel lets anything through. */
  readonly isOpaque: boolean;
}

/** Pixels from which the way through the kernel is shorter. */
const LONG_ROW = 128;

const PAIR = 0x00ff00ff;
const HALF = 0x00800080;

/** Both channels of a pair times `factor` / 255, as the rasteriser rounds them where it covers a pixel in part. */
function coveredPair(pair: number, factor: number): number {
  return ((Math.imul(pair, factor) + PAIR) >>> 8) & PAIR;
}

/** Both channels of a pair times `factor` / 255, rounded. */
function scaledPair(pair: number, factor: number): number {
  const product = Math.imul(pair, factor) + HALF;
  return ((product + ((product >>> 8) & PAIR)) >>> 8) & PAIR;
}

/** A pixel times `factor` / 255. */
function scaledPixel(pixel: number, factor: number): number {
  return scaledPair(pixel & PAIR, factor) | (scaledPair((pixel >>> 8) & PAIR, factor) << 8);
}

function coveredPixel(pixel: number, factor: number): number {
  return coveredPair(pixel & PAIR, factor) | (coveredPair((pixel >>> 8) & PAIR, factor) << 8);
}

const tables = new Map<number, Int32Array>();
/** Colours whose tables are kept, of 1 KiB each. */
const MOST_TABLES = 64;

/** A colour through each of the 256 coverages. */
function coveredColors(color: number): Int32Array {
  let table = tables.get(color);
  if (!table) {
    table = Int32Array.from({ length: 256 }, (_, coverage) => coveredPixel(color, coverage));
    if (tables.size >= MOST_TABLES) tables.clear();
    tables.set(color, table);
  }
  return table;
}

export class Surface {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  // The same memory: integers of 32 bits with a sign are the only ones that are never turned into doubles.
  readonly #signed: Int32Array;

  /** @param pixels are drawn on: they must not belong to anybody else */
  constructor(width: number, height: number, pixels: Uint32Array) {
    this.width = width;
    this.height = height;
    this.pixels = pixels;
    this.#signed = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length);
  }

  /** Lays a tile over what is there; parts beyond the edges are left out. */
  draw(tile: Tile): void {
    if (!tile.isOpaque && this.#spans(tile)) {
      blendPixels(this.pixels, tile.y * this.width, tile.pixels, 0, tile.pixels.length);
      return;
    }
    this.#rows(tile, (at, from, length) => {
      if (tile.isOpaque) this.pixels.set(tile.pixels.subarray(from, from + length), at);
      else this.#drawRow(at, tile.pixels, from, length);
    });
  }

  /** One premultiplied colour through a mask. */
  drawMask({ x, y, width, height, alphas }: Mask, color: number): void {
    const stride = this.width;
    const pixels = this.#signed;
    const covered = coveredColors(color);
    const left = Math.max(0, -x);
    const right = Math.min(width, stride - x);
    const bottom = Math.min(height, this.height - y);
    for (let row = Math.max(0, -y); row < bottom; row++) {
      const end = row * width + right;
      let at = (y + row) * stride + x + left;
      for (let i = row * width + left; i < end; i++, at++) {
        const coverage = alphas[i] as number;
        if (coverage === 0) continue;
        const over = covered[coverage] as number;
        const through = 255 - (over >>> 24);
        pixels[at] = through === 0 ? over : (over + coveredPixel(pixels[at] as number, through)) | 0;
      }
    }
  }

  fill(area: Rect, color: number): void {
    const isOpaque = color >>> 24 === 255;
    this.#rows(area, (at, _from, length) => {
      if (isOpaque) this.pixels.fill(color, at, at + length);
      else for (let i = at; i < at + length; i++) this.#over(i, color);
    });
  }

  #rows(area: Rect, each: (at: number, from: number, length: number) => void): void {
    const seen = intersection(area, { x: 0, y: 0, width: this.width, height: this.height });
    if (!seen) return;
    for (let y = seen.y; y < seen.y + seen.height; y++) {
      each(y * this.width + seen.x, (y - area.y) * area.width + (seen.x - area.x), seen.width);
    }
  }

  #over(at: number, pixel: number): void {
    // No sum exceeds 255: a premultiplied colour is never more than its alpha.
    this.#signed[at] = (pixel + scaledPixel(this.#signed[at] ?? 0, 255 - (pixel >>> 24))) | 0;
  }

  /** Whether a tile's rows are whole rows of the surface, so that it is one stretch of pixels. */
  #spans({ x, y, width, height }: Rect): boolean {
    return x === 0 && width === this.width && y >= 0 && y + height <= this.height;
  }

  #drawRow(at: number, source: Uint32Array, from: number, length: number): void {
    if (length >= LONG_ROW) {
      blendPixels(this.pixels, at, source, from, length);
      return;
    }
    for (let i = 0; i < length; i++) {
      const pixel = source[from + i] ?? 0;
      const alpha = pixel >>> 24;
      if (alpha === 255) this.pixels[at + i] = pixel;
      else if (alpha !== 0) this.#over(at + i, pixel);
    }
  }
}

/** A colour with alpha 0..1 as a premultiplied pixel. */
export function premultiplied({ r, g, b, a }: { r: number; g: number; b: number; a: number }): number {
  const part = (channel: number) => Math.round(channel * a);
  return (part(r) | (part(g) << 8) | (part(b) << 16) | (Math.round(255 * a) << 24)) >>> 0;
}

/** RGBA bytes as one integer a pixel. */
export function words(pixels: Uint8Array): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}
