// Opens the kernels for tests of single kernels, with functions to write and read their memory.

import { readFileSync } from 'node:fs';
import { instantiateKernels } from '#draw/output/raster/kernels.ts';
import { PaintMemory } from '#draw/output/raster/paint-memory.ts';

const file = new URL('../../../../../src/draw/output/raster/kernels.wasm', import.meta.url);
export const kernels = instantiateKernels(new WebAssembly.Module(readFileSync(file)));
export const memory = new PaintMemory(kernels, 2 ** 30);

/** Copies bytes into the kernels' memory and returns the address. */
export function put(bytes: Uint8Array): number {
  const at = memory.take(bytes.length);
  memory.bytes.set(bytes, at);
  return at;
}

export function get(address: number, length: number): Uint8Array {
  return memory.bytes.slice(address, address + length);
}

/** Bytes that look random, and are the same each time (Park and Miller's generator). */
export function anyBytes(count: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state >> 8) & 255;
  });
}

/** Premultiplied RGBA pixels of every alpha, with many extreme values. */
export function anyPixels(count: number, seed: number): Uint8Array {
  const random = anyBytes(5 * count, seed);
  const pixels = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) {
    const kind = random[5 * i + 4] ?? 0;
    const alpha = kind < 64 ? 255 : kind < 80 ? 0 : (random[5 * i + 3] ?? 0);
    for (let c = 0; c < 3; c++) pixels[4 * i + c] = Math.round(((random[5 * i + c] ?? 0) * alpha) / 255);
    pixels[4 * i + 3] = alpha;
  }
  return pixels;
}

/** The largest difference between two lists of bytes. */
export function farthest(a: Uint8Array, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs((a[i] ?? 0) - (b[i] ?? 0)));
  return most;
}
