// Reads the format and size of an image file from its header, before it is decoded.

import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import { sniffFormat } from '#core/sniff.ts';
import { isFrame, MARKER, orientationOf, segmentsOf } from '#draw/images/jpeg/segments.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '#draw/images/limits.ts';
import { firstFrame, orientationIn } from './picture-file.ts';

/** Most pixels of one image: decoded, it is in memory twice, and an isolate has 128 MB. */
export const MAX_EDGE_PIXELS = 16_000_000;

export interface ImageHeader extends Size {
  readonly format: 'png' | 'jpeg' | 'webp' | 'svg';
  readonly hasAlpha: boolean;
}

function refuse(message: string): never {
  throw new AppError('invalid_request', message);
}

/** @throws AppError `invalid_request` when the file is not a supported image, or exceeds the limits */
export function readHeader(bytes: Uint8Array): ImageHeader {
  if (bytes.length > MAX_IMAGE_BYTES) refuse(`The file is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
  const format = sniffFormat(bytes);
  if (format === 'svg') return { format, width: 0, height: 0, hasAlpha: true };
  if (format !== 'png' && format !== 'jpeg' && format !== 'webp') {
    if (format === null) refuse('The file is not a PNG, JPEG or WebP image; no other kinds are read at the edge.');
    refuse(`The file is ${format === 'avif' ? 'an AVIF' : 'a GIF'}; only PNG, JPEG and WebP are read at the edge.`);
  }
  const header = { png: pngHeader, jpeg: jpegHeader, webp: webpHeader }[format](bytes);
  if (!header || header.width < 1 || header.height < 1) refuse(`The ${format.toUpperCase()} file is damaged.`);
  const { width, height } = header;
  if (Math.max(width, height) > MAX_IMAGE_SIDE || width * height > MAX_EDGE_PIXELS) {
    refuse(
      `The image is ${width} × ${height} px; at the edge at most ${MAX_EDGE_PIXELS / 1e6} million pixels and ${MAX_IMAGE_SIDE} a side are allowed.`,
    );
  }
  return { format, ...header };
}

/** The size of the upright picture. */
function upright(format: 'png' | 'webp', bytes: Uint8Array, found: NonNullable<Found>): Found {
  if (orientationIn(format, bytes) < 5) return found;
  return { width: found.height, height: found.width, hasAlpha: found.hasAlpha };
}

type Found = (Size & { readonly hasAlpha: boolean }) | null;

/** PNG 3, clause 11: the colour type, or a `tRNS` chunk before the pixels, tells whether there is alpha. */
function pngHeader(bytes: Uint8Array): Found {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33) return null;
  let hasAlpha = ((bytes[25] ?? 0) & 4) !== 0;
  for (let at = 33; at + 8 <= bytes.length && !hasAlpha; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IDAT') break;
    hasAlpha = type === 'tRNS';
  }
  return upright('png', bytes, { width: view.getUint32(16), height: view.getUint32(20), hasAlpha });
}

/** The upright size, according to the EXIF orientation. */
function jpegHeader(bytes: Uint8Array): Found {
  let orientation = 1;
  for (const segment of segmentsOf(bytes)) {
    const { marker, body } = segment;
    if (marker === MARKER.app1 && orientation === 1) orientation = orientationOf(segment);
    if (!isFrame(marker) || body.length < 6) continue;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    if ((body[5] ?? 0) === 4) {
      refuse('The JPEG file has the four inks of print (CMYK), which are not converted at the edge; save it as RGB.');
    }
    const [height, width] = [view.getUint16(1), view.getUint16(3)];
    return orientation >= 5 && orientation <= 8
      ? { width: height, height: width, hasAlpha: false }
      : { width, height, hasAlpha: false };
  }
  return null;
}

/** RFC 9649: the first chunk is an extended header, or the pixels themselves. */
function webpHeader(bytes: Uint8Array): Found {
  if (bytes.length < 30) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const uint24 = (at: number) => view.getUint16(at, true) + 65_536 * view.getUint8(at + 2);
  switch (String.fromCharCode(...bytes.subarray(12, 16))) {
    case 'VP8X': {
      const [width, height] = [1 + uint24(24), 1 + uint24(27)];
      const frame = firstFrame(bytes);
      const isBeside = frame !== null && (frame.width < width || frame.height < height);
      return upright('webp', bytes, { width, height, hasAlpha: isBeside || (view.getUint8(20) & 0x10) !== 0 });
    }
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff), hasAlpha: ((bits >>> 28) & 1) === 1 };
    }
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
        hasAlpha: false,
      };
    default:
      return null;
  }
}
