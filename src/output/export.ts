// Exports a display list as a file's bytes: the raster back end draws pixels for the encoders, and the PDF back end
// writes vectors.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { encodeFastPng, encodeJpeg, encodePrintJpeg, encodeRaster } from '#encoders/encode.ts';
import type { Band } from '#encoders/png/band-encoder.ts';
import { returnPixels } from '#images/pixel-pool.ts';
import { scaleToPixels } from '#images/scale.ts';
import { nextTurn } from '#platform/next-turn.ts';
import type { ExportOptions, Output } from './formats.ts';
import { keptMemory } from './kept-memory.ts';
import type { PixelTools } from './pdf/write-pdf.ts';
import { MOST_TIME, type RasterOptions, rasterize, rasterizeForPng, rasterizeOnWhite } from './raster/rasterize.ts';

const keptBands = keptMemory.of<Band>('encoded bands');

/** The creation date of reproducible files. */
const ANY_DAY = new Date('2000-01-01T00:00:00Z');

type Watched = Pick<RasterOptions, 'signal' | 'pause' | 'mostTime'>;

/** The limit of time holds for all pictures of a PDF together, without pauses. */
function pixelTools({ mostTime = MOST_TIME, pause = nextTurn, ...options }: Watched): PixelTools {
  let end = performance.now() + mostTime;
  const uncounted = async () => {
    const since = performance.now();
    await pause();
    end += performance.now() - since;
  };
  return {
    crop: scaleToPixels,
    encodeJpeg: encodePrintJpeg,
    rasterize: (list, resources, scale) =>
      rasterize(list, resources, scale, {
        ...options,
        pause: uncounted,
        mostTime: end - performance.now(),
        snapsLetters: false,
      }),
  };
}

/**
 * Equal lists, resources and options give equal bytes in every process. A PDF contains its creation time unless
 * `reproducible` is set.
 *
 * @param watched aborts painting and encoding, or yields to other work, between two operations
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
    return writePdf(list, resources, { properties, createdAt, tools: pixelTools(watched), signal: watched.signal });
  }
  // After a failed encoding an encoder thread may still be reading the pixels, so they are not released then.
  if (output === 'jpeg') {
    const pixels = await rasterizeOnWhite(list, resources, options.scale, watched);
    const bytes = await encodeJpeg(pixels, options);
    returnPixels(pixels.data);
    return bytes;
  }
  if (output === 'png' && options.compression === 'fast') {
    const picture = await rasterizeForPng(list, resources, options.scale, watched);
    const bytes = await encodeFastPng(picture, keptBands);
    returnPixels('indices' in picture ? picture.indices : picture.pixels);
    return bytes;
  }
  const raster = await rasterize(list, resources, options.scale, { ...watched, isShared: output === 'png' });
  const bytes = await encodeRaster(raster, output, options);
  returnPixels(raster.pixels);
  return bytes;
}
