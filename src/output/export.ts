// A display list in, a file's bytes out: one reader for pixels, one for PDF.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { encodePrintJpeg, encodeRaster } from '#pixels/encode.ts';
import { scaleToPixels } from '#pixels/scale.ts';
import type { ExportOptions, Output } from './formats.ts';
import { type PixelTools, writePdf } from './pdf/write-pdf.ts';
import { rasterize, rasterizePicture } from './raster/rasterize.ts';
import { releaseRaster } from './raster/surface-pool.ts';

const pixelTools = (signal: AbortSignal | undefined): PixelTools => ({
  crop: scaleToPixels,
  encodeJpeg: encodePrintJpeg,
  rasterize: (list, resources, scale) => rasterizePicture(list, resources, scale, signal),
});

/**
 * The same list, resources and options give the same bytes, in every process.
 *
 * @param signal ends the rasteriser where it has much to do
 * @throws AppError `invalid_request` when the raster would be larger than can be drawn or encoded
 */
export async function exportAs(
  output: Output,
  list: DisplayList,
  resources: Resources,
  options: ExportOptions,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (output === 'pdf') return writePdf(list, resources, { title: null, tools: pixelTools(signal) });
  const raster = await rasterize(list, resources, options.scale, signal);
  const bytes = await encodeRaster(raster, output, options, raster.ground);
  // Not where encoding failed: then somebody may still be reading.
  releaseRaster(raster);
  return bytes;
}
