// Memory for rasters, used again: a fresh one costs more, page by page, than all that is drawn into it. Shared, so that
// other threads can encode what stands in it.
//
// What comes back still shows what was drawn: where the next raster stands on the same base, only the rectangles that
// were drawn over are made anew; where the last one did too, they are made anew ahead of it, while nobody waits. Whoever
// asked for a raster may give it back once nobody reads it any more; one that is not given back is garbage as any other
// value.

import type { Rect, Size } from '#core/geometry.ts';
import { bufferOf, type Raster } from '#images/raster.ts';
import { makePixelMemory, pixelMemoryLength } from './pixel-memory.ts';

/** Bytes that wait to be used again, at most. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The share of a canvas from which it is quicker to make all of it anew. */
const MOST_RESTORED = 0.7;

/** How many times as large what is lent may be as what was asked for. */
const MOST_ROOM = 2;

/** What a raster shows: pixels of its size, or nothing if null; and the parts where something else may stand. */
export interface Shown {
  readonly base: Uint32Array | null;
  readonly covered: readonly Rect[];
}

/** As `Shown`, without keeping the base alive. */
interface Trace extends Size {
  readonly base: WeakRef<Uint32Array> | null;
  readonly covered: readonly Rect[];
  /** Whether it showed that base already when it was lent. */
  readonly isRepeated: boolean;
}

const free: SharedArrayBuffer[] = [];
/** What is lent, with what its trace will say. */
const lent = new WeakMap<ArrayBufferLike, Pick<Trace, 'isRepeated'>>();
const traces = new WeakMap<ArrayBufferLike, Trace>();
let freeBytes = 0;

/** Bytes that wait. */
export const freeRasterBytes = () => freeBytes;

/** Pixels that show `base` or, if it is null, nothing; one integer each. */
export function borrowPixels(size: Size, base: Uint32Array | null): Uint32Array<SharedArrayBuffer> {
  const { width, height } = size;
  const bytes = 4 * width * height;
  const found = takeFree(bytes, (buffer) => showsBase(traces.get(buffer), size, base));
  const buffer = found ?? makePixelMemory(bytes);
  const pixels = new Uint32Array(buffer, 0, width * height);
  const trace = traces.get(buffer);
  traces.delete(buffer);
  const isRepeated = showsBase(trace, size, base);
  lent.set(buffer, { isRepeated });
  const covered = isRepeated ? trace.covered : [{ x: 0, y: 0, width, height }];
  // Fresh memory shows nothing.
  if (found || base) restore(pixels, size, base, covered);
  return pixels;
}

/**
 * The best of what waits: it shows what is wanted, or else it is the smallest that has room. What shows a base is left to
 * rasters of that size, which may stand on it.
 */
function takeFree(bytes: number, showsWanted: (buffer: SharedArrayBuffer) => boolean): SharedArrayBuffer | undefined {
  const needed = pixelMemoryLength(bytes);
  const fits = free.filter((buffer) => {
    const trace = traces.get(buffer);
    const isOpen = !trace?.base?.deref() || 4 * trace.width * trace.height === bytes;
    return isOpen && buffer.byteLength >= needed && buffer.byteLength <= MOST_ROOM * needed;
  });
  const smallest = fits.reduce<SharedArrayBuffer | undefined>(
    (best, buffer) => (best && best.byteLength <= buffer.byteLength ? best : buffer),
    undefined,
  );
  const found = fits.find(showsWanted) ?? smallest;
  if (!found) return undefined;
  free.splice(free.indexOf(found), 1);
  freeBytes -= found.byteLength;
  return found;
}

/** Has memory wait that the system has made ready: the first to touch memory waits for that, page by page. */
export function prepareRaster(size: Size): void {
  const pixels = borrowPixels(size, null);
  pixels.fill(0);
  releaseRaster({ ...size, pixels: new Uint8Array(pixels.buffer) });
}

/** Says what borrowed pixels show, for whoever borrows them next. */
export function notePixels({ buffer }: Uint32Array<SharedArrayBuffer>, size: Size, { base, covered }: Shown): void {
  const { width, height } = size;
  const isRepeated = lent.get(buffer)?.isRepeated ?? false;
  traces.set(buffer, { width, height, base: base && new WeakRef(base), covered, isRepeated });
}

function showsBase(trace: Trace | undefined, { width, height }: Size, base: Uint32Array | null): trace is Trace {
  if (trace?.width !== width || trace.height !== height) return false;
  return (trace.base?.deref() ?? null) === base && (base !== null || trace.base === null);
}

function restore(
  pixels: Uint32Array<SharedArrayBuffer>,
  { width, height }: Size,
  base: Uint32Array | null,
  parts: readonly Rect[],
): void {
  const area = parts.reduce((sum, part) => sum + part.width * part.height, 0);
  if (area >= MOST_RESTORED * width * height) {
    if (base) pixels.set(base);
    else pixels.fill(0);
    return;
  }
  const source = base && bufferOf(base);
  const target = Buffer.from(pixels.buffer);
  for (const part of parts) {
    for (let y = part.y; y < part.y + part.height; y++) {
      const from = 4 * (y * width + part.x);
      if (source) source.copy(target, from, from, from + 4 * part.width);
      else target.fill(0, from, from + 4 * part.width);
    }
  }
}

/** Gives back the pixels of a raster, if they were borrowed; they must not be read again. */
export function releaseRaster({ pixels }: Raster): void {
  const { buffer } = pixels;
  // Twice given back, they would be lent to two at once.
  if (!(buffer instanceof SharedArrayBuffer) || !lent.delete(buffer)) return;
  free.push(buffer);
  freeBytes += buffer.byteLength;
  while (freeBytes > MOST_BYTES) freeBytes -= free.shift()?.byteLength ?? 0;
  // Behind the answer for which it was drawn.
  setImmediate(() => makeReady(buffer));
}

/** Has memory that waits show its base all over, if whoever is lent it next will likely want just that. */
function makeReady(buffer: SharedArrayBuffer): void {
  const trace = traces.get(buffer);
  const base = trace?.base?.deref();
  if (!trace?.isRepeated || !base || !free.includes(buffer)) return;
  restore(new Uint32Array(buffer, 0, trace.width * trace.height), trace, base, trace.covered);
  traces.set(buffer, { ...trace, covered: [] });
}
