// Estimates from an image file's header how much memory decoding it takes.
//
// libvips reads most formats row by row. What is held whole is an AVIF, a GIF, a WebP that is lossless or has an alpha,
// an interlaced PNG, a JPEG in several scans, and whatever has to be rotated. The figures are upper bounds of what was
// measured at 21 to 50 million px, square and 16,384 px wide, flat and noise (libvips 8.18, libheif 1.23, libaom 3.15).

import type { Size } from '#core/geometry.ts';
import { isFrame, MARKER, orientationOf, segmentsOf } from './jpeg/segments.ts';
import type { ImageFormat } from './sniff.ts';

/** What a header says of a file. */
export interface ImageHeader extends Size {
  readonly format: Exclude<ImageFormat, 'svg'>;
  readonly hasAlpha: boolean;
  /** It has to be turned upright. */
  readonly isTurned: boolean;
}

export interface DecodeCost {
  /** Bytes to decode and scale it, without those of the result. */
  readonly full: number;
  /** The same when it is drawn at half its size or less, which JPEG and WebP decoders make use of. */
  readonly shrunk: number;
}

/** Rows of the source that scaling holds. */
const ROWS = 1000;
/** Bytes that scaling holds of one of their pixels: opaque, and with an alpha, which is worked on as float. */
const OPAQUE_PIXEL = 8;
const ALPHA_PIXEL = 16;

/** @param bytes of the file */
export function decodeCost(bytes: Uint8Array, header: ImageHeader): DecodeCost {
  const pixels = header.width * header.height;
  const scaling = header.width * Math.min(header.height, ROWS) * (header.hasAlpha ? ALPHA_PIXEL : OPAQUE_PIXEL);
  const turning = header.isTurned ? pixels * (header.hasAlpha ? 4 : 3) : 0;
  switch (header.format) {
    case 'jpeg': {
      const held = pixels * jpegCoefficients(bytes);
      return { full: held + turning + scaling, shrunk: held + (turning + scaling) / 4 };
    }
    case 'webp': {
      if (isLossyWebp(bytes) && !header.hasAlpha) {
        return { full: pixels + turning + scaling, shrunk: pixels + (turning + scaling) / 4 };
      }
      return same(8 * pixels + turning);
    }
    case 'png': {
      const { depth, isInterlaced } = pngHeader(bytes);
      const sample = depth === 16 ? 2 : 1;
      const held = isInterlaced ? pixels * ((header.hasAlpha ? 4 : 3) * sample + 1) : 0;
      return same(held + sample * (turning + scaling));
    }
    case 'gif':
      return same(5.5 * pixels + scaling);
    case 'avif':
      return same(pixels * avifPixel(bytes, header.hasAlpha));
  }
}

const same = (bytes: number): DecodeCost => ({ full: bytes, shrunk: bytes });

/**
 * Bytes of a pixel's coefficients, 2 for each sample: held when the file has more scans than one (T.81, annex G), as a
 * progressive one has, else 0.
 */
function jpegCoefficients(file: Uint8Array): number {
  let samples = 4;
  let components = 0;
  let isSequential = false;
  for (const { marker, body } of segmentsOf(file)) {
    if (isFrame(marker)) {
      isSequential = marker === 0xc0 || marker === 0xc1;
      components = body[5] ?? 0;
      samples = samplesPerPixel(body, components);
    } else if (marker === MARKER.startOfScan && isSequential && body[0] === components) return 0;
  }
  return 2 * samples;
}

/** From a frame header (T.81, B.2.2): components may have fewer samples than the picture has pixels. */
function samplesPerPixel(frame: Uint8Array, components: number): number {
  const samplings = Array.from({ length: components }, (_, i) => {
    const factors = frame[7 + 3 * i] ?? 0;
    return { across: factors >> 4, down: factors & 15 };
  });
  const most = Math.max(...samplings.map(({ across }) => across)) * Math.max(...samplings.map(({ down }) => down));
  const all = samplings.reduce((sum, { across, down }) => sum + across * down, 0);
  return most > 0 ? all / most : 4;
}

/** Whether a file is orientated otherwise than upright, by its EXIF data. */
export function isTurnedJpeg(file: Uint8Array): boolean {
  for (const segment of segmentsOf(file))
    if (segment.marker === MARKER.app1 && orientationOf(segment) !== 1) return true;
  return false;
}

/** Of the IHDR chunk, which comes first (PNG, 11.2.2). */
function pngHeader(file: Uint8Array): { depth: number; isInterlaced: boolean } {
  return { depth: file[24] ?? 16, isInterlaced: file[28] !== 0 };
}

/** Whether the first picture of a WebP container (RFC 9649) is a lossy one, and its only one. */
function isLossyWebp(file: Uint8Array): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 12; at + 8 <= file.length; ) {
    const name = String.fromCharCode(...file.subarray(at, at + 4));
    if (name === 'VP8 ') return true;
    if (name === 'VP8L' || name === 'ANMF') return false;
    const length = view.getUint32(at + 4, true);
    at += 8 + length + (length & 1);
  }
  return false;
}

/** Where `av1C` boxes are looked for, bytes: they stand before the coded data. */
const AVIF_HEADER = 64 * 1024;

/** Bytes of a pixel, by the heaviest AV1 configuration box (AV1-ISOBMFF, 2.3.3); the heaviest kind where there is none. */
function avifPixel(file: Uint8Array, hasAlpha: boolean): number {
  const header = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, AVIF_HEADER));
  let most = 0;
  for (let at = header.indexOf('av1C', 0, 'latin1'); at >= 0; at = header.indexOf('av1C', at + 4, 'latin1')) {
    const flags = header[at + 6] ?? 0;
    const isDeep = (flags & 0x40) !== 0;
    const isMonochrome = (flags & 0x10) !== 0;
    const isHalved = isMonochrome || (flags & 0x0c) === 0x0c;
    most = Math.max(most, isDeep ? (isHalved ? 24 : 31) : isHalved ? 18 : 22);
  }
  return (most || 31) + (hasAlpha ? 3 : 0);
}
