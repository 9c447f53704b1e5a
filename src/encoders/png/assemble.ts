// Assembles a PNG file from the bands of a picture (PNG 3).

import type { Size } from '#core/geometry.ts';
import { adlerCombine } from './adler32.ts';
import type { Band } from './band-encoder.ts';
import { chunk } from './chunk.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** @param bands all of them, from the top */
export function assemblePng({ width, height }: Size, channels: 3 | 4, bands: readonly Band[]): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, channels === 3 ? 2 : 6, 0, 0, 0], 8);
  const sum = new Uint8Array(4);
  const adler = bands.reduce((before, band) => adlerCombine(before, band.adler, band.length), 1);
  new DataView(sum.buffer).setUint32(0, adler);
  return joined([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    ...bands.map((band) => band.bytes),
    chunk('IDAT', sum),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
