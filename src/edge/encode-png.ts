// Encodes a raster as PNG on the current thread, with the same bands, and so the same bytes, as the server's threads.

import { atOnce } from '#core/steps.ts';
import { assemblePng } from '#encoders/png/assemble.ts';
import { type Band, BandEncoder } from '#encoders/png/band-encoder.ts';
import { findPalette } from '#encoders/png/palette.ts';
import type { Raster } from '#images/raster.ts';

export function encodePng(raster: Raster): Uint8Array {
  const form = atOnce(findPalette(raster.pixels)) ?? 'rgb';
  const bands = bandsOf(new BandEncoder(raster, form));
  if (bands) return assemblePng(raster, form, bands);
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
