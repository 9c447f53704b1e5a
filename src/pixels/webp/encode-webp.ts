// An opaque raster in, a lossy WebP file out, within some fifteen milliseconds a megapixel.
//
// The container of RFC 9649 around one VP8 key frame; nothing is written but the picture.

import { setImmediate } from 'node:timers/promises';
import type { Raster } from '../raster.ts';
import { encodeFrame } from './frame-encoder.ts';

/** Pixels after which other work may go on: about 2 ms. */
const SLICE_PIXELS = 150_000;

/**
 * @param quality 0 to 100, as libwebp counts it
 * @returns null when a pixel is not opaque, or the picture is more than one frame of VP8 can hold
 */
export async function encodeWebp(raster: Raster, quality: number): Promise<Uint8Array | null> {
  const steps = encodeFrame(raster, quality);
  const rows = Math.max(1, Math.round(SLICE_PIXELS / 16 / raster.width));
  for (let row = 1; ; row++) {
    const { done, value } = steps.next();
    if (done) return value && inContainer(value);
    if (row % rows === 0) await setImmediate();
  }
}

function inContainer(frame: Uint8Array): Uint8Array {
  const padding = frame.length % 2;
  const head = Buffer.alloc(20);
  head.write('RIFF');
  head.writeUInt32LE(12 + frame.length + padding, 4);
  head.write('WEBPVP8 ', 8);
  head.writeUInt32LE(frame.length, 16);
  return Buffer.concat([head, frame, new Uint8Array(padding)]);
}
