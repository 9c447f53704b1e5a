// A raster in, a PNG file out, within a few milliseconds a megapixel.
//
// The picture is cut into bands of rows, each a piece of the deflate stream of its own, which several threads make at
// the same time. PNG 3, RFC 1950; nothing is written but the picture.

import type { Raster } from '#images/raster.ts';
import { encodeParts } from '../encode-parts.ts';
import { keepUnits, knownUnits } from '../known-units.ts';
import type { Ground } from '../part.ts';
import { adlerCombine } from './adler32.ts';
import { type Band, BandEncoder, countBands } from './band-encoder.ts';
import { chunk } from './chunk.ts';

/** @param ground what is known of the raster */
export async function encodePng(raster: Raster, ground: Ground | null = null): Promise<Uint8Array> {
  // Until a pixel shows otherwise, a picture is taken to be opaque.
  const opaque = await encodeBands(raster, 3, ground);
  if (opaque) return assemble(raster, 3, opaque);
  return assemble(raster, 4, (await encodeBands(raster, 4, ground)) ?? []);
}

/** @returns null when the picture was taken to be opaque and is not */
async function encodeBands(raster: Raster, channels: 3 | 4, ground: Ground | null): Promise<readonly Band[] | null> {
  const format = `png ${channels}`;
  const known = ground && knownUnits(ground, format, countBands(raster, channels));
  const bands = await encodeParts(new BandEncoder(raster, channels, known), ground);
  if (ground && bands) keepUnits(ground, format, bands);
  return bands;
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
