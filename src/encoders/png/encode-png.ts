// Encodes a raster as PNG in a few milliseconds per megapixel.
//
// The picture is divided into bands of rows. Each is an independent piece of the deflate stream, so that several
// threads encode them in parallel. PNG 3, RFC 1950; no metadata is written.

import type { Raster } from '#images/raster.ts';
import { encodeParts } from '../encode-parts.ts';
import { inTurns } from '../in-turns.ts';
import { assemblePng } from './assemble.ts';
import { BandEncoder } from './band-encoder.ts';
import { findPalette } from './palette.ts';

export async function encodePng(raster: Raster): Promise<Uint8Array> {
  // Without a palette, the picture is assumed to be opaque until a pixel shows otherwise.
  const form = (await inTurns(findPalette(raster.pixels))) ?? 'rgb';
  const bands = await encodeParts(new BandEncoder(raster, form));
  if (bands) return assemblePng(raster, form, bands);
  return assemblePng(raster, 'rgba', (await encodeParts(new BandEncoder(raster, 'rgba'))) ?? []);
}
