// A raster in, a PNG file out, within a few milliseconds a megapixel.
//
// The picture is cut into bands of rows, each a piece of the deflate stream of its own, which several threads make at
// the same time. PNG 3, RFC 1950; nothing is written but the picture.

import type { Raster } from '#images/raster.ts';
import { encodeParts } from '../encode-parts.ts';
import { assemblePng } from './assemble.ts';
import { BandEncoder } from './band-encoder.ts';

export async function encodePng(raster: Raster): Promise<Uint8Array> {
  // Until a pixel shows otherwise, a picture is taken to be opaque.
  const opaque = await encodeParts(new BandEncoder(raster, 3));
  if (opaque) return assemblePng(raster, 3, opaque);
  return assemblePng(raster, 4, (await encodeParts(new BandEncoder(raster, 4))) ?? []);
}
