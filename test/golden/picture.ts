// Decodes PNG files to plain pixels and encodes them again, so that a comparison is a loop over numbers.
//
// Pixels are straight RGBA, 8 bits per channel, row by row, whatever the file's own format.

import sharp from 'sharp';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** 4 bytes per pixel: red, green, blue, alpha (not premultiplied). */
  readonly pixels: Uint8Array;
}

export async function decodePicture(file: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/**
 * Encodes as small as zlib can: a golden is written once and cloned by everybody.
 *
 * No palette, which sharp's `effort` option would enable: it would lose colours.
 */
export async function encodePicture({ width, height, pixels }: Picture): Promise<Uint8Array> {
  const files = [true, false].map((adaptiveFiltering) =>
    sharp(pixels, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 9, palette: false, adaptiveFiltering })
      .toBuffer(),
  );
  const [filtered, plain] = await Promise.all(files);
  if (!filtered || !plain) throw new Error('unreachable: two files were asked for');
  return filtered.length < plain.length ? filtered : plain;
}

/** The picture on a white background: every pixel opaque. */
export function onWhite({ width, height, pixels }: Picture): Picture {
  const flat = new Uint8Array(pixels.length);
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = (pixels[i + 3] ?? 0) / 255;
    for (let c = 0; c < 3; c++) flat[i + c] = Math.round((pixels[i + c] ?? 0) * alpha + 255 * (1 - alpha));
    flat[i + 3] = 255;
  }
  return { width, height, pixels: flat };
}
