// Premultiplied pixels over others, src-over, through the kernel.

import { ensureMemory, KERNEL_BASE, openKernel } from '#encoders/kernel.ts';
import { bufferOf } from '#images/raster.ts';

/** Pixels that pass through the kernel at a time. */
const STEP = 8192;

const kernel = openKernel();
ensureMemory(kernel, 8 * STEP);
const memory = Buffer.from(kernel.memory.buffer, KERNEL_BASE, 8 * STEP);
const ABOVE = KERNEL_BASE + 4 * STEP;

/**
 * How what shows through is rounded: to the nearest under pixels of a `layer`, and as the rasteriser rounds it where it
 * draws in colours, which is upwards, but for a hair, under `ink`.
 */
export type Rounding = 'layer' | 'ink';

/** Lays `length` pixels of `above`, from `from` on, over those of `below`, from `at` on. */
export function blendPixels(
  below: Uint32Array,
  at: number,
  above: Uint32Array,
  from: number,
  length: number,
  rounding: Rounding,
): void {
  const isInk = rounding === 'ink';
  mixed(below, at, above, from, length, (count) => kernel.blendOver(KERNEL_BASE, ABOVE, count, isInk));
}

/**
 * Likewise, faded, and rounded as the rasteriser rounds a layer that it fades.
 *
 * @param opacity 0..1
 */
export function blendFaded(
  below: Uint32Array,
  at: number,
  above: Uint32Array,
  from: number,
  length: number,
  opacity: number,
): void {
  mixed(below, at, above, from, length, (count) => kernel.blendFaded(KERNEL_BASE, ABOVE, count, opacity));
}

/** Has `mix` mix pixels, so many at a time, where the kernel can reach them. */
function mixed(
  below: Uint32Array,
  at: number,
  above: Uint32Array,
  from: number,
  length: number,
  mix: (count: number) => void,
): void {
  const target = bytesOf(below);
  const source = bytesOf(above);
  for (let done = 0; done < length; done += STEP) {
    const count = Math.min(STEP, length - done);
    const start = 4 * (at + done);
    target.copy(memory, 0, start, start + 4 * count);
    source.copy(memory, 4 * STEP, 4 * (from + done), 4 * (from + done + count));
    mix(count);
    memory.copy(target, start, 0, 4 * count);
  }
}

const views = new WeakMap<Uint32Array, Buffer>();

/** A Buffer takes longer to make than a row to copy. */
function bytesOf(pixels: Uint32Array): Buffer {
  let view = views.get(pixels);
  if (!view) {
    view = bufferOf(pixels);
    views.set(pixels, view);
  }
  return view;
}
