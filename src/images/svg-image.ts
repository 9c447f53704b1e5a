// Reads an untrusted SVG file as a limited SVG image, and draws that image at any size.
//
// The returned bytes are the sanitised document with its size in px, so that they are safe to embed. librsvg draws it,
// through sharp, and resvg simplifies it, both in a process that can be killed.

import { Gate } from '#concurrency/gate.ts';
import type { Rect, Size } from '#core/geometry.ts';
import { hasOwnSize } from '#core/svg/natural-size.ts';
import { AppError } from '#errors';
import { MAX_IMAGE_PIXELS, MAX_SVG_BYTES } from './limits.ts';
import { decoded, openImage } from './open-image.ts';
import type { Pixels } from './raster.ts';
import { sanitizeSvg } from './sanitize-svg.ts';
import { drawApart, simplifyApart } from './svg-process.ts';
import { naturalSize, writtenSvg } from './svg-size.ts';

function refuse(problem: string): never {
  throw new AppError('invalid_request', `The SVG file ${problem}.`);
}

/** Limits the pixels of all embedded pictures together, as for a single image. */
async function checkEmbedded(images: readonly Uint8Array[]): Promise<void> {
  let pixels = 0;
  for (const bytes of images) {
    const { width, height } = await decoded('SVG file', openImage(bytes).metadata());
    pixels += width * height;
    if (pixels > MAX_IMAGE_PIXELS) refuse(`embeds more than ${MAX_IMAGE_PIXELS / 1e6} million pixels`);
  }
}

/**
 * Checks and sanitises a file, and draws it once to see that it can be drawn.
 *
 * @throws AppError `invalid_request` saying what is wrong with the file
 */
export async function readSvg(file: Uint8Array): Promise<Size & { bytes: Uint8Array; hasNoSize?: true }> {
  if (file.length > MAX_SVG_BYTES) refuse(`is larger than ${MAX_SVG_BYTES / 2 ** 20} MiB`);
  const { root, attributes, body, images } = sanitizeSvg(file);
  const size = naturalSize(root);
  await checkEmbedded(images);

  const bytes = Buffer.from(writtenSvg(root, attributes, body));
  const scale = Math.min(1, 64 / Math.max(size.width, size.height));
  const sample = { width: Math.ceil(size.width * scale), height: Math.ceil(size.height * scale) };
  await drawSvg(bytes, { x: 0, y: 0, ...size }, sample);
  return { ...size, bytes, ...(hasOwnSize(root) ? {} : { hasNoSize: true }) };
}

/** Drawings at once, each in a process of its own. */
const gate = new Gate({ concurrency: 2, waiting: Number.POSITIVE_INFINITY });
/** Most ms that a drawing waits for its turn. */
const MAX_WAIT = 20_000;

/**
 * Simplifies a document whose texts are outlines (simplify-svg.ts); null when that takes too much time or memory, or
 * fails.
 *
 * @throws AppError `overloaded` when too many others are waiting
 */
export function simplifyUntrusted(document: string): Promise<string | null> {
  return gate.pass(AbortSignal.timeout(MAX_WAIT), () => simplifyApart(document));
}

/**
 * Draws the `source` part (px of its natural size) of a document from `readSvg` at exactly `size` device px. Nothing is
 * resampled, so an SVG is sharp at every scale.
 *
 * @throws AppError `invalid_request` when it cannot be drawn in time, `overloaded` when too many others are waiting
 */
export async function drawSvg(bytes: Uint8Array, source: Rect, size: Size): Promise<Pixels> {
  const document =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width * 0.75}" height="${size.height * 0.75}" ` +
    `viewBox="${source.x} ${source.y} ${source.width} ${source.height}" preserveAspectRatio="none">` +
    `${Buffer.from(bytes).toString()}</svg>`;
  return {
    ...size,
    channels: 4,
    data: await decoded(
      'SVG file',
      gate.pass(AbortSignal.timeout(MAX_WAIT), () => drawApart(document, size)),
    ),
  };
}
