// A display list in, a file's bytes out: one reader for pixels, one for PDF.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { encodePrintJpeg, encodeRaster } from '#encoders/encode.ts';
import { scaleToPixels } from '#images/scale.ts';
import type { ExportOptions, Output } from './formats.ts';
import type { PixelTools } from './pdf/write-pdf.ts';
import type { Patience } from './raster/draw-svg-apart.ts';
import { rasterize, rasterizePicture } from './raster/rasterize.ts';
import { releaseRaster } from './raster/surface-pool.ts';

const pixelTools = (patience: Patience | undefined): PixelTools => ({
  crop: scaleToPixels,
  encodeJpeg: encodePrintJpeg,
  rasterize: (list, resources, scale) => rasterizePicture(list, resources, scale, patience),
});

/**
 * The same list, resources and options give the same bytes, in every process.
 *
 * @param patience for what takes the rasteriser long
 * @throws AppError `invalid_request` when the raster would be larger than can be drawn or encoded
 */
export async function exportAs(
  output: Output,
  list: DisplayList,
  resources: Resources,
  options: ExportOptions,
  patience?: Patience,
): Promise<Uint8Array> {
  if (output === 'pdf') {
    const { writePdf } = await import('./pdf/write-pdf.ts');
    return writePdf(list, resources, { title: null, tools: pixelTools(patience) });
  }
  const raster = await rasterize(list, resources, options.scale, patience);
  const bytes = await encodeRaster(raster, output, options);
  // Not where encoding failed: then somebody may still be reading.
  releaseRaster(raster);
  return bytes;
}
