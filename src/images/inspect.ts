// A file from outside in, an image that can be drawn out.
//
// The header is read and held to the limits. Then every pixel is decoded once, so that a header that lies, or a file that
// ends too early, is found here, where the layer can still be named; or that is left to whoever draws an opaque picture,
// because decoding is most of what a new photo costs (scale.ts, `DamagedImage`).

import type { Size } from '#core/geometry.ts';
import { AppError } from '#errors';
import { withinBudget } from './decode-budget.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from './limits.ts';
import { decoded, openImage } from './open-image.ts';
import { type ImageFormat, isGzip, sniffFormat } from './sniff.ts';
import { readSvg } from './svg-image.ts';

/** An `ImageResource` before it has a key and a focus; `width` and `height` are those of the upright picture. */
export interface InspectedImage extends Size {
  readonly format: ImageFormat;
  /** The file as it came; an SVG sanitised. */
  readonly bytes: Uint8Array;
  readonly hasAlpha: boolean;
}

/** How closely a file is looked at: `header` decodes only what it cannot do without. */
export type Look = 'header' | 'pixels';

/** Whose decoders are quick enough to be let loose on a file that nobody has timed. */
const QUICK: readonly ImageFormat[] = ['jpeg', 'png', 'webp'];

const NAMES = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP', gif: 'GIF', avif: 'AVIF' } as const;

function refuse(message: string): never {
  throw new AppError('invalid_request', message);
}

/**
 * Reads an image file of unknown kind.
 *
 * @throws AppError `invalid_request` with a sentence that says why it is not accepted
 */
export async function inspectImage(bytes: Uint8Array, look: Look = 'pixels'): Promise<InspectedImage> {
  if (bytes.length === 0) refuse('The file is empty.');
  if (bytes.length > MAX_IMAGE_BYTES) refuse(`The file is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
  const format = sniffFormat(bytes);
  if (format === null) {
    refuse(
      isGzip(bytes)
        ? 'The file is compressed with gzip: send the SVG itself.'
        : 'The file is not a PNG, JPEG, WebP, GIF, AVIF or SVG image.',
    );
  }
  if (format === 'svg') return { format, hasAlpha: true, ...(await readSvg(bytes)) };
  return inspectRaster(bytes, format, look);
}

async function inspectRaster(bytes: Uint8Array, format: keyof typeof NAMES, look: Look): Promise<InspectedImage> {
  const what = `${NAMES[format]} file`;
  const header = await readHeader(bytes, what);
  const { width, height } = header;
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    refuse(`The ${what} is ${width} × ${height} px; at most ${MAX_IMAGE_SIDE} px a side are allowed.`);
  }
  if (width * height > MAX_IMAGE_PIXELS) {
    refuse(`The ${what} is ${width} × ${height} px; at most ${MAX_IMAGE_PIXELS / 1e6} million pixels are allowed.`);
  }
  if (look === 'header' && !header.hasAlpha && QUICK.includes(format)) {
    return { format, width, height, bytes, hasAlpha: false };
  }
  const hasAlpha = await withinBudget(width * height, () =>
    decoded(what, header.hasAlpha ? isTranslucent(bytes) : decodeAll(bytes)),
  );
  return { format, width, height, bytes, hasAlpha };
}

async function readHeader(bytes: Uint8Array, what: string): Promise<Size & { hasAlpha: boolean }> {
  const { autoOrient, hasAlpha } = await decoded(what, openImage(bytes).metadata());
  return { ...autoOrient, hasAlpha };
}

/** Decodes every row and keeps next to nothing. JPEG and WebP decode at a fraction of their size, yet read it all. */
async function decodeAll(bytes: Uint8Array): Promise<false> {
  await openImage(bytes).resize(32, 32, { fit: 'fill' }).raw().toBuffer();
  return false;
}

/** An alpha channel is often there and says nothing; then the picture may be stored without one. */
async function isTranslucent(bytes: Uint8Array): Promise<boolean> {
  const alpha = await openImage(bytes).extractChannel('alpha').raw({ depth: 'uchar' }).toBuffer();
  for (let at = 0; at < alpha.length; at += 1) if (alpha[at] !== 255) return true;
  return false;
}
