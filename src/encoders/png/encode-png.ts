// Encodes a raster as PNG in a few milliseconds per megapixel.
//
// The picture is divided into bands of rows. Each is an independent piece of the deflate stream, so that several
// threads encode them in parallel. PNG 3, RFC 1950; no metadata is written.

import type { Raster } from '#images/raster.ts';
import { encodeParts } from '../encode-parts.ts';
import { assemblePng } from './assemble.ts';
import { BandEncoder } from './band-encoder.ts';

export async function encodePng(raster: Raster): Promise<Uint8Array> {
  // The picture is assumed to be opaque until a pixel shows otherwise.
  const opaque = await encodeParts(new BandEncoder(raster, 3));
  if (opaque) return assemblePng(raster, 3, opaque);
  return assemblePng(raster, 4, (await encodeParts(new BandEncoder(raster, 4))) ?? []);
}
