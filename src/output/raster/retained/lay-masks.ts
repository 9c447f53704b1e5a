// A colour and masks in, laid over pixels out: the rows that they lie on pass through the kernel once for all of them.
//
// The door to masks.wasm, which is compiled from wasm/masks.ts by `npm run kernel` and says how colours are mixed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intersection, type Rect } from '#core/geometry.ts';
import type { Mask } from '../coverage.ts';

interface MasksKernel {
  readonly memory: WebAssembly.Memory;
  layMask(
    pixels: number,
    stride: number,
    alphas: number,
    pitch: number,
    columns: number,
    rows: number,
    color: number,
  ): void;
}

const bytes = readFileSync(join(import.meta.dirname, 'masks.wasm'));
const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as MasksKernel;
let memory = Buffer.from(kernel.memory.buffer);

const PAGE = 65_536;
/** Where the rows of pixels stand; what lies below is the kernel's own. */
const PIXELS = PAGE;
/** Bytes behind pixels and behind alphas that the kernel reads with the last of them. */
const BEYOND = 16;
/** Pixels that pass through the kernel at a time, and alphas, unless a row is longer: they stay in the processor's cache. */
const MOST_PIXELS = 1 << 15;

/** Pixels at a place: one integer each, RGBA, premultiplied. */
export interface Canvas {
  /** Whole px. */
  readonly area: Rect;
  /** The same memory as bytes. A Buffer copies shared memory several times as fast as a typed array does. */
  readonly bytes: Buffer;
}

/**
 * Lays one colour through masks, one after the other, over what stands in a canvas; parts beyond its edges are left out.
 *
 * @param part whole px; nothing is drawn outside of it
 * @param color premultiplied
 */
export function layMasks(canvas: Canvas, masks: readonly Mask[], part: Rect, color: number): void {
  const seen = intersection(part, canvas.area);
  if (!seen) return;
  const { x, width } = seen;
  const bottom = seen.y + seen.height;
  let widest = width;
  for (const mask of masks) widest = Math.max(widest, mask.width);
  const most = Math.max(1, Math.floor(MOST_PIXELS / widest));
  for (let y = seen.y; y < bottom; y += most) {
    layBand(canvas, masks, { x, y, width, height: Math.min(most, bottom - y) }, color);
  }
}

/** @param band lies within the canvas */
function layBand({ area, bytes }: Canvas, masks: readonly Mask[], band: Rect, color: number): void {
  const { x, y, width, height } = band;
  const alphas = PIXELS + 4 * width * height + BEYOND;
  const stride = 4 * area.width;
  const length = 4 * width;
  const first = (y - area.y) * stride + 4 * (x - area.x);
  ensure(alphas);
  for (let row = 0, from = first, to = PIXELS; row < height; row++, from += stride, to += length) {
    bytes.copy(memory, to, from, from + length);
  }
  for (const mask of masks) layMask(mask, band, alphas, color);
  for (let row = 0, from = PIXELS, to = first; row < height; row++, from += length, to += stride) {
    memory.copy(bytes, to, from, from + length);
  }
}

/** @param free where the kernel's memory is nobody's */
function layMask(mask: Mask, band: Rect, free: number, color: number): void {
  const left = Math.max(mask.x, band.x);
  const top = Math.max(mask.y, band.y);
  const columns = Math.min(mask.x + mask.width, band.x + band.width) - left;
  const rows = Math.min(mask.y + mask.height, band.y + band.height) - top;
  if (columns <= 0 || rows <= 0) return;
  const length = mask.width * rows;
  ensure(free + length + BEYOND);
  const from = (top - mask.y) * mask.width;
  memory.set(rows === mask.height ? mask.alphas : mask.alphas.subarray(from, from + length), free);
  const pixels = PIXELS + 4 * ((top - band.y) * band.width + left - band.x);
  kernel.layMask(pixels, band.width, free + left - mask.x, mask.width, columns, rows, color);
}

function ensure(bytes: number): void {
  const missing = bytes - memory.length;
  if (missing <= 0) return;
  kernel.memory.grow(Math.ceil(missing / PAGE));
  memory = Buffer.from(kernel.memory.buffer);
}
