// Pools memory for finished rasters: page-faulting fresh memory in costs more than painting it. The memory is shared
// where possible, so that other threads can encode from it; web pages and edge runtimes may have no SharedArrayBuffer.
//
// A caller that obtained a raster may release it once nothing reads it any more; one that is not released is
// garbage-collected as usual.

import type { Size } from '#core/geometry.ts';
import type { Raster } from '#images/raster.ts';

/** Most bytes of idle memory. */
const MOST_BYTES = 64 * 1024 * 1024;
/** How many times the requested size a reused buffer may have. */
const MOST_ROOM = 2;

const free: ArrayBufferLike[] = [];
const lent = new WeakSet<ArrayBufferLike>();
let freeBytes = 0;

/** Bytes of idle memory. */
export const freeRasterBytes = () => freeBytes;

/** RGBA memory for a raster of that size, with undefined content. */
export function borrowPixels({ width, height }: Size): Uint8Array {
  const bytes = 4 * width * height;
  const fits = free.filter(({ byteLength }) => byteLength >= bytes && byteLength <= MOST_ROOM * bytes);
  const smallest = fits.reduce<ArrayBufferLike | undefined>(
    (best, buffer) => (best && best.byteLength <= buffer.byteLength ? best : buffer),
    undefined,
  );
  if (smallest) {
    free.splice(free.indexOf(smallest), 1);
    freeBytes -= smallest.byteLength;
  }
  const buffer = smallest ?? freshMemory(bytes);
  lent.add(buffer);
  return new Uint8Array(buffer, 0, bytes);
}

const freshMemory = (bytes: number): ArrayBufferLike =>
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** Returns the pixels of a raster to the pool, if they came from it; they must not be read afterwards. */
export function releaseRaster({ pixels }: Raster): void {
  const { buffer } = pixels;
  // A buffer released twice would be lent to two rasters at once.
  if (!lent.delete(buffer)) return;
  free.push(buffer);
  freeBytes += buffer.byteLength;
  while (freeBytes > MOST_BYTES) freeBytes -= free.shift()?.byteLength ?? 0;
}

/** Adds memory to the pool that is already paged in: the first access to fresh memory faults page by page. */
export function prepareRaster(size: Size): void {
  const pixels = borrowPixels(size);
  pixels.fill(0);
  releaseRaster({ ...size, pixels });
}
