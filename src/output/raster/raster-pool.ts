// Memory for finished rasters, used again: fresh memory costs more, page by page, than what is painted into it. Shared
// where it can be, so that other threads can encode what stands in it: pages and edge runtimes may have no such memory.
//
// Whoever asked for a raster may give it back once nobody reads it any more; one that is not given back is garbage as any
// other value.

import type { Size } from '#core/geometry.ts';
import type { Raster } from '#images/raster.ts';

/** Bytes that wait to be used again, at most. */
const MOST_BYTES = 64 * 1024 * 1024;
/** How many times as large what is lent may be as what was asked for. */
const MOST_ROOM = 2;

const free: ArrayBufferLike[] = [];
const lent = new WeakSet<ArrayBufferLike>();
let freeBytes = 0;

/** Bytes that wait. */
export const freeRasterBytes = () => freeBytes;

/** RGBA of a raster of that size, of any content. */
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

/** Gives back the pixels of a raster, if they were borrowed; they must not be read again. */
export function releaseRaster({ pixels }: Raster): void {
  const { buffer } = pixels;
  // Twice given back, they would be lent to two at once.
  if (!lent.delete(buffer)) return;
  free.push(buffer);
  freeBytes += buffer.byteLength;
  while (freeBytes > MOST_BYTES) freeBytes -= free.shift()?.byteLength ?? 0;
}

/** Has memory wait that the system has made ready: the first to touch memory waits for that, page by page. */
export function prepareRaster(size: Size): void {
  const pixels = borrowPixels(size);
  pixels.fill(0);
  releaseRaster({ ...size, pixels });
}
