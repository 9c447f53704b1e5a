// An opaque raster in, a lossy WebP file out, within some ten milliseconds a megapixel.
//
// The container of RFC 9649 around one VP8 key frame, whose rows are decided by several threads; nothing is written but
// the picture.

import { setImmediate } from 'node:timers/promises';
import type { Raster } from '../raster.ts';
import { newBorders } from './borders.ts';
import { FrameCoder } from './frame-coder.ts';
import { quantizerOf } from './quantizer.ts';
import { type DecidedRow, macroblocks, RowDecider } from './row-decider.ts';

/** Pixels after which other work may go on: about 2 ms. */
const SLICE_PIXELS = 150_000;
/** Bytes of decisions that are kept: those of a photo of some ten million pixels. */
const MOST_KEPT = 24 * 1024 * 1024;

/**
 * @param quality 0 to 100, as libwebp counts it
 * @returns null when a pixel is not opaque, or the picture is more than one frame of VP8 can hold
 */
export async function encodeWebp(raster: Raster, quality: number): Promise<Uint8Array | null> {
  const steps = encodeAlone(raster, quality);
  const rows = Math.max(1, Math.round(SLICE_PIXELS / 16 / raster.width));
  for (let row = 1; ; row++) {
    const { done, value } = steps.next();
    if (done) return value && inContainer(value);
    if (row % rows === 0) await setImmediate();
  }
}

/** Decides and codes row by row; what is kept of decisions is bounded. */
function* encodeAlone(raster: Raster, quality: number): Generator<undefined, Uint8Array | null> {
  const { width, height } = raster;
  const decider = new RowDecider(raster, quality, newBorders(macroblocks(width), macroblocks(height)));
  const coder = new FrameCoder(width, height, quantizerOf(quality));
  let kept: DecidedRow[] = [];
  let bytes = 0;
  for (let y = 0; y < decider.count; y++) {
    const row = decider.decide(y).next().value as DecidedRow | null;
    if (!row) return null;
    kept.push(row);
    bytes += row.decisions.length;
    if (bytes > MOST_KEPT || y === decider.count - 1) {
      yield* coder.code(kept, decider.counts);
      kept = [];
      bytes = 0;
    }
    yield;
  }
  decider.release();
  return coder.finish();
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
