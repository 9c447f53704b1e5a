// Writes display lists as the pages of a PDF at the edge, with the server's writer: letters stay text, shapes stay vectors.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { writePdf } from '#draw/output/pdf/write-pdf.ts';
import { decodedPictures } from '#draw/output/raster/decoded-pictures.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { scalePicture } from '#draw/platform/scale-picture.ts';
import { encodeJpegPixels } from './encode-picture.ts';
import { TILE_PIXELS } from './tile-pixels.ts';

/** Quality of photos that have to be encoded anew. */
const PRINT_QUALITY = 90;

/** @throws AppError `invalid_request`, TooMuchToDraw */
export function writeEdgePdf(pages: Iterable<DisplayList>, resources: Resources): Promise<Uint8Array> {
  return writePdf(pages, resources, {
    createdAt: new Date(),
    tools: {
      crop: async (image, source, size) => ({
        ...size,
        channels: 4,
        data: await scalePicture(image, source, size, decodedPictures),
      }),
      encodeJpeg: ({ width, height, data }) => {
        const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
        for (let i = 0; i < width * height; i++) pixels.set(data.subarray(3 * i, 3 * i + 3), 4 * i);
        return encodeJpegPixels(pixels, { width, height }, PRINT_QUALITY, '4:4:4');
      },
      rasterize: (part, own, scale) => rasterize(part, own, scale, { tilePixels: TILE_PIXELS, snapsLetters: false }),
    },
  });
}
