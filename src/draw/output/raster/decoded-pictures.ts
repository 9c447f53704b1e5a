// Keeps small photos decoded between renders, from the second size at which they are asked for.
//
// Decoding is most of the cost of a photo that recurs at changing sizes. One that is only ever shown at one size is kept
// at that size alone (scaled-pictures.ts).

import type { Pixels } from '#draw/images/raster.ts';
import type { PixelCache } from '#draw/images/scale.ts';
import { fileDigest } from '../file-digest.ts';
import { resourceCache } from '../resource-cache.ts';

const kept = resourceCache.of<Pixels | 'asked once'>('decoded pictures');

export const decodedPictures: PixelCache = async (file, decode) => {
  const key = fileDigest(file);
  const known = kept.get(key);
  if (known === undefined) {
    kept.set(key, 'asked once', 0);
    return null;
  }
  if (known !== 'asked once') return known;
  const pixels = await decode();
  kept.set(key, pixels, pixels.data.length);
  return pixels;
};
