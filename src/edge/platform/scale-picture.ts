// Decodes and scales pictures on the rendering thread, with WebAssembly decoders.

import type { Rect, Size } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';
import { toSrgb } from '#draw/images/color-tags.ts';
import { decodePicture } from '../decode-picture.ts';
import { scalePixels } from '../scale-pixels.ts';

/**
 * The `source` part of an image at `size`, RGBA with straight alpha. `_cache` is the server's: here a picture is decoded each time.
 *
 * @throws AppError when it cannot be decoded
 */
export async function scalePicture(
  image: ImageResource,
  source: Rect,
  size: Size,
  _cache?: unknown,
): Promise<Uint8Array> {
  const drawn = await decodePicture(image, source, size);
  const scaled = scalePixels(drawn.pixels, drawn.source, size, image.hasAlpha);
  if (drawn.tag) toSrgb(scaled, 4, drawn.tag);
  return scaled;
}
