// Finished device pixels in, a PNG, JPEG or WebP file out.
//
// The same raster and options give the same bytes, in every process; no metadata is written.

import type { Sharp } from 'sharp';
import { AppError } from '#errors';
import { decoded, openPixels } from '#images/open-image.ts';
import type { Pixels, Raster } from '#images/raster.ts';
import { encodeJpeg } from './jpeg/encode-jpeg.ts';
import { packOpaque } from './pack-opaque.ts';
import type { Ground } from './part.ts';
import { encodePng } from './png/encode-png.ts';
import { encodeWebp } from './webp/encode-webp.ts';

export type RasterFormat = 'png' | 'jpeg' | 'webp';

export interface EncodeOptions {
  /** JPEG and WebP, 0 to 100. */
  readonly quality: number;
  readonly compression: 'fast' | 'small';
}

/** px a side that each file format can say. */
export const MAX_SIDE = { png: 65_535, jpeg: 65_500, webp: 16_383 } as const satisfies Record<RasterFormat, number>;

/** True when few pixels repeat their neighbour, judged on some thousand of them. */
function isPhotographic({ pixels }: Raster): boolean {
  const step = 4 * Math.max(1, Math.floor(pixels.length / 4 / 20_011));
  let equal = 0;
  let seen = 0;
  for (let at = step; at < pixels.length; at += step) {
    seen += 1;
    if (
      pixels[at] === pixels[at - 4] &&
      pixels[at + 1] === pixels[at - 3] &&
      pixels[at + 2] === pixels[at - 2] &&
      pixels[at + 3] === pixels[at - 1]
    )
      equal += 1;
  }
  return equal < seen / 2;
}

/**
 * Encodes a raster. JPEG has no alpha: what is transparent turns white.
 *
 * Measured on cards of 1200 × 630 px with and without a photo: a fast PNG takes 5 and 2 ms for 760 and 55 KiB, two
 * thirds of that on two threads, a small one 85 and 12 ms for 713 and 51 KiB; a fast JPEG 1.9 and 1.6 ms for 100
 * and 48 KiB, a small one 5.5 and 4 ms for 99 and 43 KiB; a fast WebP 12 and 7 ms for 57 and 29 KiB, two
 * thirds of that on two threads, a small one some five times as long for 54 and 26 KiB; one that is not opaque is left to
 * libwebp, and takes longer.
 *
 * @param ground what is known of the raster: parts of a fast PNG or JPEG in which only that is seen are made once
 * @throws AppError `invalid_request` when a side is longer than the format allows
 */
export async function encodeRaster(
  raster: Raster,
  format: RasterFormat,
  { quality, compression }: EncodeOptions,
  ground: Ground | null = null,
): Promise<Uint8Array> {
  const { width, height } = raster;
  if (Math.max(width, height) > MAX_SIDE[format]) {
    throw new AppError('invalid_request', `A ${format} image can be at most ${MAX_SIDE[format]} px a side.`);
  }
  const isFast = compression === 'fast';
  // The encoders count from 1; their 0 would mean "the default".
  const atLeastOne = Math.max(1, Math.round(quality));
  if (format === 'jpeg') {
    return isFast ? encodeJpeg(raster, atLeastOne, ground) : encodeByLibrary(raster, format, atLeastOne, isFast);
  }
  const fast = format === 'png' ? await encodePng(raster, ground) : await encodeWebp(raster, atLeastOne);
  if (isFast && fast) return fast;
  const searched = await encodeByLibrary(raster, format, atLeastOne, isFast);
  // Of a photo, whose noise has no matches to be searched for, the fast one may be the smaller.
  return fast && fast.length <= searched.length ? fast : searched;
}

async function encodeByLibrary(
  raster: Raster,
  format: RasterFormat,
  quality: number,
  isFast: boolean,
): Promise<Uint8Array> {
  const { width, height } = raster;
  const packed = packOpaque(raster);
  const picture = packed
    ? openPixels(packed.rgb, { width, height, channels: 3 })
    : openPixels(raster.pixels, { width, height, channels: 4, premultiplied: true });
  const bytes = await decoded('picture', inFormat(picture, format, raster, quality, isFast).toBuffer());
  // Not where encoding failed: then somebody may still be reading.
  packed?.release();
  return bytes;
}

function inFormat(picture: Sharp, format: RasterFormat, raster: Raster, quality: number, isFast: boolean): Sharp {
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 9, adaptiveFiltering: isPhotographic(raster) });
    case 'jpeg':
      return picture.flatten({ background: '#ffffff' }).jpeg({ quality });
    case 'webp':
      return picture.webp({ quality, effort: isFast ? 0 : 4 });
  }
}

/** A JPEG file of opaque pixels, good enough to print. */
export async function encodePrintJpeg({ width, height, channels, data }: Pixels): Promise<Uint8Array> {
  const picture = openPixels(data, { width, height, channels }).removeAlpha();
  return decoded('picture', picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer());
}
