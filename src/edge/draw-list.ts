// Draws a display list to a file on one thread, within an isolate's memory.

import { AppError } from '#base/errors.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { returnPixels } from '#draw/images/pixel-pool.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import { type Encoding, encodePicture } from './encode-picture.ts';
import { TILE_PIXELS } from './tile-pixels.ts';

/** Most pixels of a canvas: 64 MB, besides the tile that is being painted. An isolate has 128 MB. */
const MAX_CANVAS_PIXELS = 16_000_000;
/** Bytes of letters and scaled pictures that are cached between renders. */
const KEPT_BYTES = 24 * 1024 * 1024;

resourceCache.resize(KEPT_BYTES);

/**
 * @param scale device px per canvas px; a PDF has none
 * @throws AppError `invalid_request` when the picture would be too large, or takes too much to draw
 */
export async function drawList(
  list: DisplayList,
  resources: Resources,
  scale: number,
  { output, ...encoding }: Pick<Encoding, 'output' | 'quality' | 'chromaSubsampling'>,
): Promise<Uint8Array> {
  if (output === 'pdf') {
    const { writeEdgePdf } = await import('./write-pdf.ts');
    return writeEdgePdf([list], resources);
  }
  const pixels = Math.round(list.width * scale) * Math.round(list.height * scale);
  if (!(pixels <= MAX_CANVAS_PIXELS)) {
    throw new AppError(
      'invalid_request',
      `The picture would have ${Math.ceil(pixels / 1e6)} million px; at the edge at most ${MAX_CANVAS_PIXELS / 1e6} million are possible.`,
    );
  }
  const raster = await rasterize(list, resources, scale, { tilePixels: TILE_PIXELS });
  const bytes = await encodePicture(raster, output, encoding);
  returnPixels(raster.pixels);
  return bytes;
}
