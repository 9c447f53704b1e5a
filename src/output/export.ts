// A display list in, a file's bytes out: one reader for pixels, one for PDF.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { encodePrintJpeg, encodeRaster } from '#encoders/encode.ts';
import { scaleToPixels } from '#images/scale.ts';
import type { ExportOptions, Output } from './formats.ts';
import type { PixelTools } from './pdf/write-pdf.ts';
import { releaseRaster } from './raster/raster-pool.ts';
import { type RasterOptions, rasterize } from './raster/rasterize.ts';

/** The creation date of files that are to be reproducible. */
const ANY_DAY = new Date('2000-01-01T00:00:00Z');

type Watched = Pick<RasterOptions, 'signal' | 'pause' | 'mostTime'>;

const pixelTools = (options: Watched): PixelTools => ({
  crop: scaleToPixels,
  encodeJpeg: encodePrintJpeg,
  rasterize: (list, resources, scale) => rasterize(list, resources, scale, { ...options, snapsLetters: false }),
});

/**
 * The same list, resources and options give the same bytes, in every process; of PDF, only where reproducible bytes are
 * asked for: else it has the time of its making in it.
 *
 * @param watched ends painting, and lets others have their turn, between two operations
 * @throws AppError `invalid_request` when the raster would be larger than can be drawn or encoded
 */
export async function exportAs(
  output: Output,
  list: DisplayList,
  resources: Resources,
  options: ExportOptions,
  watched: Watched = {},
): Promise<Uint8Array> {
  if (output === 'pdf') {
    const { writePdf } = await import('./pdf/write-pdf.ts');
    const { reproducible = false, ...properties } = options.pdf ?? {};
    const createdAt = reproducible ? ANY_DAY : new Date();
    return writePdf(list, resources, { properties, createdAt, tools: pixelTools(watched) });
  }
  const raster = await rasterize(list, resources, options.scale, watched);
  const bytes = await encodeRaster(raster, output, options);
  // Not where encoding failed: then somebody may still be reading.
  releaseRaster(raster);
  return bytes;
}
