// Encodes a raster in any format, for tests that treat all formats alike.

import { type EncodeOptions, encodeJpeg, encodeRaster, type RasterFormat } from '#draw/encoders/encode.ts';
import type { Raster } from '#draw/images/raster.ts';

/** For JPEG, the raster's alpha is dropped. */
export function encodeAny(raster: Raster, format: RasterFormat, options: EncodeOptions): Promise<Uint8Array> {
  if (format !== 'jpeg') return encodeRaster(raster, format, options);
  const { width, height, pixels } = raster;
  const data = pixels.filter((_, at) => at % 4 < 3);
  return encodeJpeg({ width, height, channels: 3, data }, options);
}
