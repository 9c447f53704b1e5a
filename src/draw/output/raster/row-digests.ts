// Digests of painted rows, by which an encoder recognises rows that it has encoded before.
//
// The key is random and never leaves the process: otherwise a caller could make two pictures with equal digests, and
// one would be shown in place of the other.

import { addressIn, type PaintMemory, type Surface } from './paint-memory.ts';

/** Bytes of a digest; constants of the kernel `digestRows`. */
const DIGEST = 16;
const BLOCK = 4096;
const KEY = BLOCK + 16;

let key: Uint8Array | null = null;

/** Bytes of the digests of one row. */
export const digestBytes = (width: number) => DIGEST * Math.ceil((4 * width) / BLOCK);

/**
 * Digests rows of a canvas.
 *
 * @param rows as wide as the canvas
 * @param digests of the whole canvas, to which those of the rows are written
 */
export function digestRows(memory: PaintMemory, rows: Surface, digests: Uint8Array): void {
  key ??= crypto.getRandomValues(new Uint8Array(KEY));
  const { area, stride } = rows;
  const bytes = digestBytes(area.width);
  const mark = memory.mark();
  const keyAt = memory.take(KEY);
  const out = memory.take(bytes * area.height);
  memory.bytes.set(key, keyAt);
  memory.kernels.digestRows(addressIn(rows, area), stride, area.width, area.height, keyAt, out);
  digests.set(memory.bytes.subarray(out, out + bytes * area.height), bytes * area.y);
  memory.release(mark);
}
