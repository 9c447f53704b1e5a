// A raster in, a PNG file out, within a few milliseconds a megapixel.
//
// The picture is cut into bands of rows, each a piece of the deflate stream of its own, which several threads make at
// the same time. PNG 3, RFC 1950; nothing is written but the picture.

import { setImmediate } from 'node:timers/promises';
import { partThreads } from '../part-threads.ts';
import type { Raster } from '../raster.ts';
import { adlerCombine } from './adler32.ts';
import { type Band, BandEncoder } from './band-encoder.ts';
import { chunk } from './chunk.ts';

/** Pixels from which the way to other threads and back is worth it: two bands, a millisecond or two. */
const SHARED_PIXELS = 250_000;
/** Bands after which other work may go on: about 2 ms. */
const SLICE_BANDS = 3;

export async function encodePng(raster: Raster): Promise<Uint8Array> {
  // Until a pixel shows otherwise, a picture is taken to be opaque.
  const opaque = await encodeBands(raster, 3);
  if (opaque) return assemble(raster, 3, opaque);
  return assemble(raster, 4, (await encodeBands(raster, 4)) ?? []);
}

/** The same bands, whoever makes them; null when the picture was taken to be opaque and is not. */
async function encodeBands(raster: Raster, channels: 3 | 4): Promise<readonly Band[] | null> {
  const threads = raster.width * raster.height >= SHARED_PIXELS ? partThreads() : null;
  if (threads) return threads.encodeBands(raster, channels);
  const encoder = new BandEncoder(raster, channels);
  const bands: Band[] = [];
  for (let index = 0; index < encoder.count; index++) {
    const band = encoder.encode(index);
    if (!band) return null;
    bands.push(band);
    if (bands.length % SLICE_BANDS === 0) await setImmediate();
  }
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
  const adler = bands.reduce((before, band) => adlerCombine(before, band.adler, band.bytes), 1);
  new DataView(sum.buffer).setUint32(0, adler);
  return Buffer.concat([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    ...bands.map((band) => band.chunk),
    chunk('IDAT', sum),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
