// Memory for rasters, used again: a fresh one costs more, page by page, than all that is drawn into it. Shared, so that
// other threads can encode what stands in it.
//
// Whoever asked for a raster may give it back once nobody reads it any more; one that is not given back is garbage as
// any other value.

import type { Raster } from '#pixels/raster.ts';

/** Bytes that wait to be used again, at most. */
const MOST_BYTES = 64 * 1024 * 1024;

const free: SharedArrayBuffer[] = [];
const lent = new WeakSet<ArrayBufferLike>();
let freeBytes = 0;

/** Bytes that wait. */
export const freeRasterBytes = () => freeBytes;

/** Pixels of unknown content, one integer each. */
export function borrowPixels(count: number): Uint32Array<SharedArrayBuffer> {
  const index = free.findIndex(({ byteLength }) => byteLength === 4 * count);
  const [found] = index < 0 ? [] : free.splice(index, 1);
  if (found) freeBytes -= found.byteLength;
  const buffer = found ?? new SharedArrayBuffer(4 * count);
  lent.add(buffer);
  return new Uint32Array(buffer);
}

/** Gives back the pixels of a raster, if they were borrowed; they must not be read again. */
export function releaseRaster({ pixels }: Raster): void {
  const { buffer } = pixels;
  // Twice given back, they would be lent to two at once.
  if (!(buffer instanceof SharedArrayBuffer) || !lent.delete(buffer)) return;
  free.push(buffer);
  freeBytes += buffer.byteLength;
  while (freeBytes > MOST_BYTES) freeBytes -= free.shift()?.byteLength ?? 0;
}
