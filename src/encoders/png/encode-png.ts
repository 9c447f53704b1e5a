// A raster in, a PNG file out, within a few milliseconds a megapixel.
//
// The picture is cut into bands of rows, each a piece of the deflate stream of its own, which several threads make at
// the same time. PNG 3, RFC 1950; nothing is written but the picture.

import type { Raster } from '#images/raster.ts';
import { encodeParts } from '../encode-parts.ts';
import { adlerCombine } from './adler32.ts';
import { type Band, BandEncoder } from './band-encoder.ts';
import { chunk } from './chunk.ts';

export async function encodePng(raster: Raster): Promise<Uint8Array> {
  // Until a pixel shows otherwise, a picture is taken to be opaque.
  const opaque = await encodeParts(new BandEncoder(raster, 3));
  if (opaque) return assemble(raster, 3, opaque);
  return assemble(raster, 4, (await encodeParts(new BandEncoder(raster, 4))) ?? []);
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function assemble({ width, height }: Raster, channels: 3 | 4, bands: readonly Band[]): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, channels === 3 ? 2 : 6, 0, 0, 0], 8);
  const sum = new Uint8Array(4);
  const adler = bands.reduce((before, band) => adlerCombine(before, band.adler, band.length), 1);
  new DataView(sum.buffer).setUint32(0, adler);
  return Buffer.concat([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    ...bands.map((band) => band.bytes),
    chunk('IDAT', sum),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
