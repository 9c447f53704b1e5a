// Pixels that others are laid over: RGBA, premultiplied, src-over with every product rounded to the nearest.
//
// Two channels are worked on in one integer, each in 16 bits of it, so that a pixel takes two multiplications. Masks, of
// which a render has hundreds, and long rows go through kernels instead.

import type { Color } from '#core/color.ts';
import { intersection, type Rect } from '#core/geometry.ts';
import { bufferOf } from '#images/raster.ts';
import type { Mask } from '../coverage.ts';
import { blendFaded, blendPixels } from './blend-pixels.ts';
import { type Canvas, layMasks } from './lay-masks.ts';
import { around, solidCore } from './solid-core.ts';
import { type Stretch, StretchedRows } from './stretch.ts';
import { factorRead } from './svg-number.ts';

/** Device pixels at a place: `x` and `y` are whole px on the canvas. */
export interface Tile extends Rect {
  /** RGBA, premultiplied; one integer a pixel. */
  readonly pixels: Uint32Array;
  /** How the pixels grow to the tile's size; null where there is one for each of its own. */
  readonly stretch: Stretch | null;
  /**
   * How it lies over what is there. `opaque`: it lets nothing through. `ink`: rounded as the rasteriser rounds where it
   * covers a pixel in part. `layer`: rounded to the nearest, as where it lays pixels over pixels.
   */
  readonly edges: 'opaque' | 'ink' | 'layer';
  /** 0..1, of a layer; others have 1. */
  readonly opacity: number;
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

/** A pixel over another, as the rasteriser rounds where it covers one in part. */
function inkOver(below: number, pixel: number): number {
  return (pixel + coveredPixel(below, 255 - (pixel >>> 24))) | 0;
}

/** A pixel that covers another one in part. */
function mixedPixel(below: number, pixel: number, coverage: number, edges: Tile['edges']): number {
  if (edges === 'ink') return inkOver(below, coveredPixel(pixel, coverage));
  if (edges === 'opaque') {
    const through = 255 - coverage;
    const low = Math.imul(pixel & PAIR, coverage) + Math.imul(below & PAIR, through) + PAIR;
    const high = Math.imul((pixel >>> 8) & PAIR, coverage) + Math.imul((below >>> 8) & PAIR, through) + PAIR;
    return ((low >>> 8) & PAIR) | (high & ~PAIR);
  }
  const share = coverage / 255;
  const through = 1 - ((pixel >>> 24) * share) / 255;
  const mixed = (shift: number) =>
    Math.round(((pixel >>> shift) & 255) * share + ((below >>> shift) & 255) * through) << shift;
  return mixed(0) | mixed(8) | mixed(16) | mixed(24);
}

export class Surface {
  /** Whole px on the canvas; everything is drawn by its place there. */
  readonly area: Rect;
  readonly pixels: Uint32Array;
  // The same memory: integers of 32 bits with a sign are the only ones that are never turned into doubles.
  readonly #signed: Int32Array;
  // The same memory again, where masks are laid.
  readonly #canvas: Canvas;

  /** @param pixels are drawn on: they must not belong to anybody else */
  constructor(area: Rect, pixels: Uint32Array) {
    this.area = area;
    this.pixels = pixels;
    this.#signed = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length);
    this.#canvas = { area, bytes: bufferOf(pixels) };
  }

  /** Lays a tile over what is there; parts beyond the edges are left out. */
  draw(tile: Tile): void {
    const { edges, pixels, opacity, stretch } = tile;
    if (stretch) {
      this.#drawStretched(tile, stretch);
      return;
    }
    if (opacity < 1) {
      this.#rows(tile, (at, from, length) => blendFaded(this.pixels, at, pixels, from, length, opacity));
      return;
    }
    if (edges === 'opaque') {
      this.#put(tile);
      return;
    }
    if (this.#spans(tile)) {
      blendPixels(this.pixels, (tile.y - this.area.y) * this.area.width, pixels, 0, pixels.length, edges);
      return;
    }
    const signed = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length);
    this.#rows(tile, (at, from, length) => {
      if (length >= LONG_ROW) blendPixels(this.pixels, at, pixels, from, length, edges);
      else if (edges === 'ink') this.#drawInk(at, signed, from, length);
      else this.#drawLayer(at, pixels, from, length);
    });
  }

  #put(tile: Tile): void {
    const { pixels } = tile;
    const { bytes } = this.#canvas;
    const source = bufferOf(pixels);
    this.#rows(tile, (at, from, length) => source.copy(bytes, 4 * at, 4 * from, 4 * (from + length)));
  }

  #drawStretched(tile: Tile, stretch: Stretch): void {
    const rows = new StretchedRows(tile.pixels, stretch, tile);
    const seen = intersection(tile, this.area);
    if (!seen) return;
    for (let y = seen.y; y < seen.y + seen.height; y++) {
      this.draw({ ...tile, y, height: 1, pixels: rows.row(y - tile.y), stretch: null });
    }
  }

  /** One premultiplied colour through a mask. */
  drawMask(mask: Mask, color: number): void {
    const core = color >>> 24 === 255 ? solidCore(mask) : null;
    if (!core) {
      this.drawMasks([mask], mask, color);
      return;
    }
    this.fill(core, color);
    for (const part of around(core, mask)) layMasks(this.#canvas, [mask], part, color);
  }

  /**
   * One premultiplied colour through masks, one after the other: best where they lie close to each other.
   *
   * @param area holds all masks
   */
  drawMasks(masks: readonly Mask[], area: Rect, color: number): void {
    layMasks(this.#canvas, masks, area, color);
  }

  /**
   * Lays pixels over what is there through a mask.
   *
   * @param pixels of the mask's area
   */
  drawThrough(mask: Mask, pixels: Uint32Array, edges: Tile['edges']): void {
    const { alphas } = mask;
    const below = this.#signed;
    const above = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length);
    this.#rows(mask, (at, from, length) => {
      for (let i = 0; i < length; i++) {
        const coverage = alphas[from + i] as number;
        if (coverage === 0) continue;
        const pixel = above[from + i] as number;
        if (coverage === 255 && pixel >>> 24 === 255) below[at + i] = pixel;
        else below[at + i] = mixedPixel(below[at + i] as number, pixel, coverage, edges);
      }
    });
  }

  fill(area: Rect, color: number): void {
    const through = 255 - (color >>> 24);
    const pixels = this.#signed;
    this.#rows(area, (at, _from, length) => {
      if (through === 0) pixels.fill(color, at, at + length);
      else for (let i = at; i < at + length; i++) pixels[i] = (color + coveredPixel(pixels[i] as number, through)) | 0;
    });
  }

  /** Leaves of each pixel what a mask of the same area covers. */
  clip(alphas: Uint8Array): void {
    const pixels = this.#signed;
    for (let i = 0; i < pixels.length; i++) {
      const coverage = alphas[i] as number;
      if (coverage === 0) pixels[i] = 0;
      else if (coverage < 255) pixels[i] = coveredPixel(pixels[i] as number, coverage);
    }
  }

  #rows(area: Rect, each: (at: number, from: number, length: number) => void): void {
    const { x, y, width } = this.area;
    const seen = intersection(area, this.area);
    if (!seen) return;
    for (let row = seen.y; row < seen.y + seen.height; row++) {
      each((row - y) * width + seen.x - x, (row - area.y) * area.width + (seen.x - area.x), seen.width);
    }
  }

  #over(at: number, pixel: number): void {
    // No sum exceeds 255: a premultiplied colour is never more than its alpha.
    this.#signed[at] = (pixel + scaledPixel(this.#signed[at] ?? 0, 255 - (pixel >>> 24))) | 0;
  }

  /** Whether a tile's rows are whole rows of the surface, so that it is one stretch of pixels. */
  #spans(tile: Rect): boolean {
    const { x, y, width, height } = this.area;
    return tile.x === x && tile.width === width && tile.y >= y && tile.y + tile.height <= y + height;
  }

  #drawInk(at: number, source: Int32Array, from: number, length: number): void {
    const pixels = this.#signed;
    for (let i = 0; i < length; i++) {
      const pixel = source[from + i] as number;
      if (pixel === 0) continue;
      pixels[at + i] = pixel >>> 24 === 255 ? pixel : inkOver(pixels[at + i] as number, pixel);
    }
  }

  #drawLayer(at: number, source: Uint32Array, from: number, length: number): void {
    for (let i = 0; i < length; i++) {
      const pixel = source[from + i] ?? 0;
      const alpha = pixel >>> 24;
      if (alpha === 255) this.pixels[at + i] = pixel;
      else if (alpha !== 0) this.#over(at + i, pixel);
    }
  }
}

/** A colour as a premultiplied pixel: by a whole byte of alpha, in single precision, as the rasteriser has it. */
export function premultiplied({ r, g, b, a }: Color): number {
  const { fround, floor } = Math;
  const byte = (share: number) => floor(fround(fround(share * 255) + 0.5));
  const alpha = byte(factorRead(a));
  const share = fround(alpha / 255);
  const part = (channel: number) => byte(fround(fround(channel / 255) * share));
  return (part(r) | (part(g) << 8) | (part(b) << 16) | (alpha << 24)) >>> 0;
}

/** RGBA bytes as one integer a pixel. */
export function words(pixels: Uint8Array): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}
