// Encodes a raster as PNG on the current thread, with the same bands, and so the same bytes, as the server's threads.

import { assemblePng } from '#encoders/png/assemble.ts';
import { type Band, BandEncoder } from '#encoders/png/band-encoder.ts';
import type { Raster } from '#images/raster.ts';

export function encodePng(raster: Raster): Uint8Array {
  // The picture is assumed to be opaque until a pixel shows otherwise.
  const opaque = bandsOf(new BandEncoder(raster, 3));
  if (opaque) return assemblePng(raster, 3, opaque);
  return assemblePng(raster, 4, bandsOf(new BandEncoder(raster, 4)) ?? []);
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
