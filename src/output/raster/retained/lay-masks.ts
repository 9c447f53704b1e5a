// A colour and masks in, laid over pixels out: by a kernel where they stand, or by way of memory that it can work in.
//
// The door to masks.wasm, which is compiled from wasm/masks.ts by `npm run kernel` and says how colours are mixed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intersection, type Rect } from '#core/geometry.ts';
import type { Mask } from '../coverage.ts';
import { kernelMemoryOf, makeKernelMemory, ROOM } from '../pixel-memory.ts';

interface MasksKernel {
  layMasks(list: number, count: number, stride: number, color: number): void;
}

const module = new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'masks.wasm')));

/** Numbers by which the kernel knows a mask. */
const NUMBERS = 5;
/** Masks, or parts of them, that it is handed at once. */
const MOST_PARTS = 256;
/** Bytes of their list, at the start of the room. */
const LIST_BYTES = 4 * NUMBERS * MOST_PARTS;
/** Bytes behind alphas that the kernel reads with the last of them. */
const BEYOND = 16;
/** Bytes of alphas, behind the list. */
const ALPHA_BYTES = ROOM - LIST_BYTES - BEYOND;

/** Pixels that pass at a time through memory that is not theirs: a row at least, and no more than the processor's cache holds. */
const MOST_PASSING = 1 << 16;

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
 * @param canvas of rows of at most 64 Ki px, as those of masks
 * @param part whole px; nothing is drawn outside of it
 * @param color premultiplied
 */
export function layMasks(canvas: Canvas, masks: readonly Mask[], part: Rect, color: number): void {
  const seen = intersection(part, canvas.area);
  if (!seen) return;
  const worker = workerIn(canvas.bytes.buffer);
  if (worker) worker.lay(canvas, masks, seen, color);
  else layByWay(canvas, masks, seen, color);
}

/** The kernel at work in one memory. */
class MaskWorker {
  readonly #kernel: MasksKernel;
  readonly #room: number;
  readonly #list: Uint32Array;
  readonly #bytes: Uint8Array;
  #count = 0;
  #used = 0;

  constructor(memory: WebAssembly.Memory) {
    const { buffer } = memory;
    this.#kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as MasksKernel;
    this.#room = buffer.byteLength - ROOM;
    this.#list = new Uint32Array(buffer, this.#room, LIST_BYTES / 4);
    this.#bytes = new Uint8Array(buffer);
  }

  /** @param part lies within the canvas, which stands in this memory */
  lay({ area, bytes }: Canvas, masks: readonly Mask[], part: Rect, color: number): void {
    for (const mask of masks) {
      const { x, y, width, height } = mask;
      const left = Math.max(x, part.x);
      const columns = Math.min(x + width, part.x + part.width) - left;
      if (columns <= 0) continue;
      const bottom = Math.min(y + height, part.y + part.height);
      for (let top = Math.max(y, part.y); top < bottom; ) {
        let rows = Math.min(bottom - top, Math.floor((ALPHA_BYTES - this.#used) / width));
        if (rows === 0 || this.#count === MOST_PARTS) {
          this.#flush(area.width, color);
          rows = Math.max(1, Math.min(bottom - top, Math.floor(ALPHA_BYTES / width)));
        }
        const alphas = this.#put(mask, top - y, rows) + left - x;
        const pixels = bytes.byteOffset + 4 * ((top - area.y) * area.width + left - area.x);
        this.#note(pixels, alphas, width, columns, rows);
        top += rows;
      }
    }
    this.#flush(area.width, color);
  }

  /** Rows of alphas, from `row` on; returns where they stand. */
  #put({ width, height, alphas }: Mask, row: number, rows: number): number {
    const place = this.#room + LIST_BYTES + this.#used;
    this.#bytes.set(rows === height ? alphas : alphas.subarray(row * width, (row + rows) * width), place);
    // Shared memory is copied word by word where it starts at one.
    this.#used += 8 * Math.ceil((rows * width) / 8);
    return place;
  }

  #note(pixels: number, alphas: number, pitch: number, columns: number, rows: number): void {
    const list = this.#list;
    const at = NUMBERS * this.#count++;
    list[at] = pixels;
    list[at + 1] = alphas;
    list[at + 2] = pitch;
    list[at + 3] = columns;
    list[at + 4] = rows;
  }

  #flush(stride: number, color: number): void {
    this.#kernel.layMasks(this.#room, this.#count, stride, color);
    this.#count = 0;
    this.#used = 0;
  }
}

const workers = new WeakMap<ArrayBufferLike, MaskWorker>();

function workerIn(buffer: ArrayBufferLike): MaskWorker | null {
  const known = workers.get(buffer);
  if (known) return known;
  const memory = kernelMemoryOf(buffer);
  if (!memory) return null;
  const worker = new MaskWorker(memory);
  workers.set(buffer, worker);
  return worker;
}

const passage = makeKernelMemory(4 * MOST_PASSING);
const passageBytes = Buffer.from(passage.buffer);
const passageWorker = new MaskWorker(passage);

/** For pixels in memory that the kernel cannot work in. @param part lies within the canvas */
function layByWay({ area, bytes }: Canvas, masks: readonly Mask[], part: Rect, color: number): void {
  const most = Math.floor(MOST_PASSING / part.width);
  const stride = 4 * area.width;
  const length = 4 * part.width;
  for (let y = part.y; y < part.y + part.height; y += most) {
    const band = { ...part, y, height: Math.min(most, part.y + part.height - y) };
    const first = (y - area.y) * stride + 4 * (part.x - area.x);
    for (let row = 0, from = first; row < band.height; row++, from += stride) {
      bytes.copy(passageBytes, row * length, from, from + length);
    }
    passageWorker.lay({ area: band, bytes: passageBytes }, masks, band, color);
    for (let row = 0, to = first; row < band.height; row++, to += stride) {
      passageBytes.copy(bytes, to, row * length, (row + 1) * length);
    }
  }
}
