// Pools memory for pixels: page-faulting fresh memory in costs more than painting it. Rasters and their encoders share
// one pool, so that what one has returned serves the other.
//
// The memory is shared between threads where possible, so that others can encode from it; web pages and edge runtimes
// may have no SharedArrayBuffer. Large memory is not shared: it is freed as soon as it is returned, whereas V8 frees
// shared memory only after each thread that has seen it has collected its garbage, which an idle thread never does.
// Pixels that are not returned are garbage-collected as usual.

/** Most bytes of idle memory, and of memory that is shared. */
const MOST_BYTES = 40 * 1024 * 1024;

/** The smallest first. */
const free: ArrayBufferLike[] = [];
const lent = new WeakSet<ArrayBufferLike>();

/** Whether other threads may read pixels: copying large ones would take memory that is freed late. */
export const areShareable = ({ length }: { readonly length: number }): boolean => length <= MOST_BYTES;

/** Bytes of idle memory. */
export const freePixelBytes = () => free.reduce((sum, { byteLength }) => sum + byteLength, 0);

/**
 * Memory of that many bytes with undefined content: the smallest that fits, because sizes of pictures alternate. Where
 * none fits, fresh memory replaces the largest, so that there are never more pieces than were lent at the same time.
 */
export function borrowPixels(bytes: number): Uint8Array {
  if (bytes > MOST_BYTES) {
    const large = new ArrayBuffer(bytes);
    lent.add(large);
    return new Uint8Array(large);
  }
  const fitting = free.findIndex(({ byteLength }) => byteLength >= bytes);
  // -1, if none fits, is the last one: the largest.
  const [taken] = free.splice(fitting, 1);
  const buffer = taken && fitting >= 0 ? taken : freshMemory(bytes);
  lent.add(buffer);
  return new Uint8Array(buffer, 0, bytes);
}

const freshMemory = (bytes: number): ArrayBufferLike =>
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** Returns pixels to the pool, if they came from it; they must not be read afterwards. */
export function returnPixels({ buffer }: Uint8Array): void {
  // A buffer returned twice would be lent to two pictures at once.
  if (!lent.delete(buffer)) return;
  if (buffer.byteLength > MOST_BYTES) {
    (buffer as ArrayBuffer).transfer(0);
    return;
  }
  free.push(buffer);
  free.sort((a, b) => a.byteLength - b.byteLength);
  while (freePixelBytes() > MOST_BYTES) free.shift();
}

/** Adds memory to the pool that is already paged in: the first access to fresh memory faults page by page. */
export function preparePixels(bytes: number): void {
  const pixels = borrowPixels(bytes);
  pixels.fill(0);
  returnPixels(pixels);
}
