// Reads an untrusted SVG file as a limited SVG image, and draws that image at any size.
//
// The returned bytes are the sanitised document with its size in px, so that they are safe to embed. All of it happens in
// a process that can be killed: the file is rewritten there (sanitize-svg.ts), resvg simplifies it, and librsvg draws, by
// sharp, what cannot be simplified.

import { Gate } from '#base/concurrency/gate.ts';
import { AppError } from '#base/errors.ts';
import type { Rect, Size } from '#core/geometry.ts';
import type { OwnFit } from '#core/resources.ts';
import { MAX_SVG_BYTES } from './limits.ts';
import { decoded } from './open-image.ts';
import type { Pixels } from './raster.ts';
import { drawApart, readApart, simplifyApart } from './svg-process.ts';
import { framedSvg } from './svg-size.ts';

/** An SVG file that can be drawn. */
interface SvgImage extends Size {
  readonly bytes: Uint8Array;
  readonly hasNoSize?: true;
  readonly ownFit?: OwnFit;
  /** What a browser would show and is left out; absent = nothing. */
  readonly leftOut?: readonly string[];
}

/**
 * Checks and sanitises a file, and draws it once to see that it can be drawn.
 *
 * @throws AppError `invalid_request` saying what is wrong with the file, `overloaded` when too many others are waiting
 */
export async function readSvgImage(file: Uint8Array): Promise<SvgImage> {
  if (file.length > MAX_SVG_BYTES) {
    throw new AppError('invalid_request', `The SVG file is larger than ${MAX_SVG_BYTES / 2 ** 20} MiB.`);
  }
  const reading = gate.pass(AbortSignal.timeout(MAX_WAIT), () => readApart(file));
  const { document, width, height, hasNoSize, ownFit, leftOut } = await decoded('SVG file', reading);
  return {
    ...{ width, height, bytes: Buffer.from(document) },
    ...(hasNoSize ? { hasNoSize } : {}),
    ...(ownFit && { ownFit }),
    ...(leftOut.length > 0 ? { leftOut } : {}),
  };
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
 * Draws the `source` part (px of its natural size) of a document from `readSvgImage` at exactly `size` device px. Nothing is
 * resampled, so an SVG is sharp at every scale.
 *
 * @throws AppError `invalid_request` when it cannot be drawn in time, `overloaded` when too many others are waiting
 */
export async function drawSvg(bytes: Uint8Array, source: Rect, size: Size): Promise<Pixels> {
  const document = framedSvg(Buffer.from(bytes).toString(), source, size);
  return {
    ...size,
    channels: 4,
    data: await decoded(
      'SVG file',
      gate.pass(AbortSignal.timeout(MAX_WAIT), () => drawApart(document, size)),
    ),
  };
}
