// Joins the strips of one picture, top to bottom, into one file.
//
// For pages that are longer than Chromium can draw at once.

import { AppError } from '#base/errors.ts';
import { decoded, sharpLibrary } from '#draw/images/open-image.ts';
import { chromaOf } from './chroma.ts';
import { checkAvif, type EncodeOptions, MAX_ENCODED_SIDE, type RasterFormat } from './encode.ts';

export interface Strip {
  /** A PNG written by Platen. */
  readonly png: Uint8Array;
  /** px */
  readonly height: number;
}

/**
 * Joins strips of equal width.
 *
 * @param over pictures that are drawn over it, at its left edge, px from its top
 * @throws AppError `invalid_request` when the picture is larger than the format allows
 */
export async function stitch(
  strips: readonly Strip[],
  width: number,
  format: RasterFormat,
  { quality, chromaSubsampling: asked }: Omit<EncodeOptions, 'compression'>,
  over: readonly { readonly input: Buffer; readonly top: number }[] = [],
): Promise<Uint8Array> {
  const height = strips.reduce((sum, strip) => sum + strip.height, 0);
  if (Math.max(width, height) > MAX_ENCODED_SIDE[format]) {
    throw new AppError(
      'invalid_request',
      `The picture is ${width} × ${height} px; a ${format} image can be at most ${MAX_ENCODED_SIDE[format]} px a side.`,
    );
  }
  if (format === 'avif') checkAvif({ width, height });
  // Every cell of the join is as high as the highest one: only the last strip may be lower, and the surplus is cropped.
  const pngs = strips.map(({ png }) => png);
  const join = { across: 1 };
  const joined = (
    pngs.length > 1
      ? sharpLibrary()(pngs, { join, limitInputPixels: false })
      : sharpLibrary()(pngs[0], { limitInputPixels: false })
  )
    .extract({ left: 0, top: 0, width, height })
    .composite(over.map(({ input, top }) => ({ input, top, left: 0 })));
  const atLeastOne = Math.max(1, Math.round(quality));
  switch (format) {
    case 'png':
      return decoded('picture', joined.png({ compressionLevel: 6 }).toBuffer());
    case 'jpeg': {
      const options = { quality: atLeastOne, chromaSubsampling: chromaOf(quality, asked) };
      return decoded('picture', joined.flatten({ background: '#ffffff' }).jpeg(options).toBuffer());
    }
    case 'webp':
      return decoded('picture', joined.webp({ quality: atLeastOne, effort: 2 }).toBuffer());
    case 'avif':
      return decoded('picture', joined.avif({ quality: atLeastOne, effort: 0 }).toBuffer());
  }
}
