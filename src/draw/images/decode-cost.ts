// Estimates from an image file's header how much memory decoding it takes.
//
// libvips reads most formats row by row. It holds the whole picture for an AVIF, a GIF, a WebP that is lossless or has
// alpha, an interlaced PNG, a JPEG in several scans, and anything that has to be rotated. The figures are upper bounds
// of measurements at 21 to 50 million px, square and 16,384 px wide, flat and noise (libvips 8.18, libheif 1.23, libaom
// 3.15).

import type { Size } from '#core/geometry.ts';
import type { ImageFormat } from '#core/sniff.ts';
import { gifFrameOf } from './gif-frame.ts';
import { isFrame, MARKER, orientationOf, segmentsOf } from './jpeg/segments.ts';

/** The facts in a file's header. */
export interface ImageHeader extends Size {
  readonly format: Exclude<ImageFormat, 'svg' | 'pdf'>;
  readonly hasAlpha: boolean;
  /** Whether it has to be rotated to be upright. */
  readonly isTurned: boolean;
}

export interface DecodeCost {
  /** Bytes to decode and scale it, not counting the result. */
  readonly full: number;
  /** The same when it is drawn at half its size or less, where JPEG and WebP decoders save memory. */
  readonly shrunk: number;
}

/** Source rows that scaling holds. */
const ROWS = 1000;
/** Bytes per pixel of these rows: opaque, and with alpha, which is processed as float. */
const OPAQUE_PIXEL = 8;
const ALPHA_PIXEL = 16;

/** @param bytes the file */
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
      return same((gifFrameOf(bytes) ? 9.5 : 5.5) * pixels + scaling);
    case 'avif':
      return same(pixels * avifPixel(bytes, header.hasAlpha));
  }
}

const same = (bytes: number): DecodeCost => ({ full: bytes, shrunk: bytes });

/**
 * Bytes per pixel of coefficients, 2 per sample: they are held when the file has more than one scan (T.81, annex G), as
 * a progressive file has; otherwise 0.
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

/** Samples per pixel according to a frame header (T.81, B.2.2): components may be subsampled. */
function samplesPerPixel(frame: Uint8Array, components: number): number {
  const samplings = Array.from({ length: components }, (_, i) => {
    const factors = frame[7 + 3 * i] ?? 0;
    return { across: factors >> 4, down: factors & 15 };
  });
  const most = Math.max(...samplings.map(({ across }) => across)) * Math.max(...samplings.map(({ down }) => down));
  const all = samplings.reduce((sum, { across, down }) => sum + across * down, 0);
  return most > 0 ? all / most : 4;
}

/** Whether the EXIF orientation of a file is other than upright. */
export function isTurnedJpeg(file: Uint8Array): boolean {
  for (const segment of segmentsOf(file))
    if (segment.marker === MARKER.app1 && orientationOf(segment) !== 1) return true;
  return false;
}

/** Reads the IHDR chunk, which comes first (PNG, 11.2.2). */
function pngHeader(file: Uint8Array): { depth: number; isInterlaced: boolean } {
  return { depth: file[24] ?? 16, isInterlaced: file[28] !== 0 };
}

/** Whether the first picture of a WebP container (RFC 9649) is lossy and its only one. */
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

/** Bytes that are searched for `av1C` boxes, which precede the coded data. */
const AVIF_HEADER = 64 * 1024;

/**
 * Bytes per pixel for the most expensive AV1 configuration box (AV1-ISOBMFF, 2.3.3); the most expensive kind if there
 * is none.
 */
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
