// Draws our SVG text with resvg: the oracle that the painter is compared with.

import { setImmediate } from 'node:timers/promises';
import { renderAsync } from '@resvg/resvg-js';
import type { Size } from '#core/geometry.ts';
import type { Raster } from '#draw/images/raster.ts';

/** Draws a document whose `width` and `height` are `size`, off the main thread. */
export async function drawSvgText(svg: string, size: Size): Promise<Raster> {
  // A buffer, because a string is converted on the main thread, which takes as long as drawing a photo does.
  const image = await renderAsync(Buffer.from(svg), { font: { loadSystemFonts: false }, logLevel: 'off' });
  if (image.width !== size.width || image.height !== size.height) {
    throw new Error(`resvg drew ${image.width} × ${image.height} px, not ${size.width} × ${size.height}`);
  }
  const { pixels } = image;
  // resvg's memory is given back only when the event loop turns; awaiting settled promises alone never lets it.
  await setImmediate();
  return { ...size, pixels };
}
