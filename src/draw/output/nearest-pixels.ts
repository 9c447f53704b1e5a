// Scales pixels to the nearest neighbour, as CSS `image-rendering: pixelated` does in Chromium.

import type { Rect, Size } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';

/** A picture is decoded at its own size for this; a larger one is scaled as any other. */
const MOST_PIXELS = 4_000_000;

/**
 * The whole pixels of an image that a part of it touches.
 *
 * @param source image px
 * @returns null where the image has no pixels (SVG), or too many
 */
export function wholePixels({ format, width, height }: ImageResource, source: Rect): Rect | null {
  const x = Math.min(Math.floor(source.x + 1e-6), width - 1);
  const y = Math.min(Math.floor(source.y + 1e-6), height - 1);
  const right = Math.min(width, Math.max(x + 1, Math.ceil(source.x + source.width - 1e-6)));
  const bottom = Math.min(height, Math.max(y + 1, Math.ceil(source.y + source.height - 1e-6)));
  const whole = { x, y, width: right - x, height: bottom - y };
  return format === 'svg' || whole.width * whole.height > MOST_PIXELS ? null : whole;
}

/**
 * Shows `source` at `size`, whole px; each pixel is the one of `pixels` that its middle lies in.
 *
 * @param pixels row by row, `channels` bytes each, of the part `whole` of an image
 * @param source image px, within `whole`
 */
export function nearestPixels(pixels: Uint8Array, channels: 3 | 4, whole: Rect, source: Rect, size: Size): Uint8Array {
  const columns = nearest(source.x - whole.x, source.width, whole.width, size.width);
  const rows = nearest(source.y - whole.y, source.height, whole.height, size.height);
  const scaled = new Uint8Array(channels * size.width * size.height);
  const length = channels * size.width;
  let to = 0;
  for (const [i, row] of rows.entries()) {
    if (i > 0 && row === rows[i - 1]) {
      scaled.copyWithin(to, to - length, to);
      to += length;
      continue;
    }
    for (const column of columns) {
      const from = channels * (row * whole.width + column);
      for (let channel = 0; channel < channels; channel++) scaled[to++] = pixels[from + channel] ?? 0;
    }
  }
  return scaled;
}

/** For each target pixel of an axis, the source pixel. */
function nearest(start: number, length: number, total: number, target: number): number[] {
  return Array.from({ length: target }, (_, i) =>
    Math.min(Math.max(Math.floor(start + ((i + 0.5) * length) / target), 0), total - 1),
  );
}
