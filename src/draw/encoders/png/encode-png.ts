// Encodes a raster as PNG in a few milliseconds per megapixel.
//
// The picture is divided into bands of rows. Each is an independent piece of the deflate stream, so that several
// threads encode them in parallel. PNG 3, RFC 1950; no metadata is written.

import { runInSlices } from '#base/concurrency/time-slice.ts';
import { returnPixels } from '#draw/images/pixel-pool.ts';
import type { IndexedRaster, Raster } from '#draw/images/raster.ts';
import { encodeParts } from '../encode-parts.ts';
import { assemblePng } from './assemble.ts';
import { type BandCache, BandMemory } from './band-cache.ts';
import { type Band, BandEncoder, type PngPixels } from './band-encoder.ts';
import { indexRaster } from './palette.ts';

/** @param cache of bands; used for a raster that has digests */
export async function encodePng(raster: Raster | IndexedRaster, cache?: BandCache): Promise<Uint8Array> {
  if ('indices' in raster) return assemblePng(raster, 'indices', (await encodeBands(raster, 'indices', cache)) ?? []);
  const indexed = raster.isColorful ? null : await runInSlices(indexRaster(raster));
  if (indexed) {
    const { digests } = raster;
    const file = await encodePng({ ...indexed, ...(digests && { digests }) }, cache);
    returnPixels(indexed.indices);
    return file;
  }
  // The picture is assumed to be opaque until a pixel shows otherwise.
  const bands = await encodeBands(raster, 'rgb', cache);
  if (bands) return assemblePng(raster, 'rgb', bands);
  return assemblePng(raster, 'rgba', (await encodeBands(raster, 'rgba', cache)) ?? []);
}

async function encodeBands(
  raster: Raster | IndexedRaster,
  form: PngPixels,
  cache?: BandCache,
): Promise<readonly Band[] | null> {
  const encoder = new BandEncoder(raster, form);
  const { digests } = raster;
  if (!cache || !digests) return encodeParts(encoder);
  const kept = new BandMemory(cache, encoder, digests);
  const bands = await encodeParts(encoder, kept.known);
  if (bands) kept.keep(bands);
  return bands;
}
