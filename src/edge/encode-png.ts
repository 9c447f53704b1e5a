// Encodes a raster as PNG on the current thread, with the same bands, and so the same bytes, as the server's threads.

import { runToEnd } from '#core/steps.ts';
import { assemblePng } from '#draw/encoders/png/assemble.ts';
import { type Band, BandEncoder } from '#draw/encoders/png/band-encoder.ts';
import { indexRaster } from '#draw/encoders/png/palette.ts';
import { returnPixels } from '#draw/images/pixel-pool.ts';
import type { Raster } from '#draw/images/raster.ts';

export function encodePng(raster: Raster): Uint8Array {
  const indexed = runToEnd(indexRaster(raster));
  if (indexed) {
    const file = assemblePng(indexed, 'indices', bandsOf(new BandEncoder(indexed, 'indices')) ?? []);
    returnPixels(indexed.indices);
    return file;
  }
  const bands = bandsOf(new BandEncoder(raster, 'rgb'));
  if (bands) return assemblePng(raster, 'rgb', bands);
  return assemblePng(raster, 'rgba', bandsOf(new BandEncoder(raster, 'rgba')) ?? []);
}

function bandsOf(encoder: BandEncoder): readonly Band[] | null {
  const bands: Band[] = [];
  for (let i = 0; i < encoder.count; i++) {
    const band = encoder.encode(i);
    if (!band) return null;
    bands.push(band);
  }
  return bands;
}
