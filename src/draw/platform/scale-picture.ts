// Decodes and scales pictures with sharp, which is loaded when a picture is first scaled.

import type { Rect, Size } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';
import type { PixelCache } from '#draw/images/scale.ts';

/** The `source` part of an image at `size`, RGBA with straight alpha. @throws as `scaleToRgba` */
export async function scalePicture(
  image: ImageResource,
  source: Rect,
  size: Size,
  cache: PixelCache,
): Promise<Uint8Array> {
  const { scaleToRgba } = await import('#draw/images/scale.ts');
  return scaleToRgba(image, source, size, cache);
}
