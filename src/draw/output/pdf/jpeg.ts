// Prepares a JPEG file for PDF's DCTDecode filter without decoding it.
//
// Accepts only what every reader shows as the raster back end does: 8-bit baseline or progressive, grey or YCbCr, sRGB.
// A picture with an EXIF orientation is embedded as stored, and the page rotates it. A CMYK picture is decoded: without
// a profile, each reader chooses what colours the numbers mean. Pure cyan is 0 172 239 in poppler, within 2 of that in
// Ghostscript and PDFium, but 0 255 255 in MuPDF. Comments, EXIF data (which has the time and place of the photo) and
// thumbnails are left out; no byte of the picture changes.

import { latin1Of } from '#base/runtime.ts';
import { isFrame, isNamed, MARKER, orientationOf, type Segment, segmentsOf } from '#draw/images/jpeg/segments.ts';

export interface JpegStream {
  /** In pixels as stored, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'DeviceRGB' | 'DeviceGray';
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
  readonly bytes: Uint8Array;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Whether its components are named R, G and B. */
  readonly isNamedRgb: boolean;
}

const RESTART_0 = 0xd0;
const RESTART_7 = 0xd7;
/** The frames that DCTDecode supports: baseline, extended sequential and progressive, with Huffman coding. */
const FRAMES = [0xc0, 0xc1, 0xc2];

/** The stream, or null when the file has to be decoded and re-encoded. */
export function jpegStream(file: Uint8Array): JpegStream | null {
  const kept: Uint8Array[] = [];
  const adobe: Uint8Array[] = [];
  let isJfif = false;
  let orientation = 1;
  let frame: Frame | null = null;

  for (const segment of segmentsOf(file)) {
    const { marker, at, bytes, body } = segment;
    if (marker === MARKER.startOfScan) {
      const end = frame && endOfImage(file, at);
      if (!frame || end === null) return null;
      kept.push(file.subarray(at, end));
      // JFIF means YCbCr, whatever Adobe's segment says.
      const told = isJfif ? [] : adobe;
      // Without either, decoders go by such names, and not all of them.
      if (frame.isNamedRgb && told.length === 0) return null;
      return {
        width: frame.width,
        height: frame.height,
        colorSpace: frame.components === 1 ? 'DeviceGray' : 'DeviceRGB',
        orientation,
        bytes: joined([file.subarray(0, 2), ...told, ...kept]),
      };
    }
    if (FRAMES.includes(marker)) {
      if (body.length < 6 || body[0] !== 8) return null;
      const view = new DataView(body.buffer, body.byteOffset);
      const isNamedRgb = [...'RGB'].every((name, i) => body[6 + 3 * i] === name.charCodeAt(0));
      frame = { height: view.getUint16(1), width: view.getUint16(3), components: view.getUint8(5), isNamedRgb };
      if (frame.components !== 1 && frame.components !== 3) return null;
    } else if (isFrame(marker)) return null;
    if (marker === MARKER.app1 && isNamed(segment, 'Exif\0\0')) {
      const told = orientationOf(segment);
      // Two orientations that differ: the decoder decides.
      if (told !== 1 && orientation !== 1 && told !== orientation) return null;
      if (told > 1 && told <= 8) orientation = told;
    }
    if (marker === MARKER.app2 && !isSrgb(segment)) return null;
    // As long as libjpeg requires.
    if (marker === MARKER.app0 && isNamed(segment, 'JFIF\0') && body.length >= 14) isJfif = true;
    if (marker === MARKER.app14) adobe.push(bytes);
    const isApplications = marker >= MARKER.app0 && marker <= MARKER.app15;
    if (!isApplications && marker !== MARKER.comment) kept.push(bytes);
  }
  return null;
}

/**
 * The offset after the end-of-image marker, for the first scan at `at`. Data that cameras append (films, other
 * exposures) is not part of the picture. Null when the file is truncated.
 */
function endOfImage(file: Uint8Array, at: number): number | null {
  let next = at;
  while (next + 4 <= file.length) {
    // `next` is at a marker with a length. Entropy-coded data may follow, in which FF is stuffed or starts a restart
    // marker.
    next += 2 + (((file[next + 2] ?? 0) << 8) | (file[next + 3] ?? 0));
    for (;;) {
      next = file.indexOf(0xff, next);
      const marker = file[next + 1];
      if (next < 0 || marker === undefined) return null;
      if (marker === MARKER.endOfImage) return next + 2;
      const isData = marker === 0 || (marker >= RESTART_0 && marker <= RESTART_7);
      if (!isData && marker !== 0xff) break;
      next += marker === 0xff ? 1 : 2;
    }
  }
  return null;
}

/**
 * Whether a colour profile describes itself as sRGB, with one or two bytes per character. True for other APP2 segments.
 */
function isSrgb(segment: Segment): boolean {
  const text = latin1Of(segment.body).replaceAll('\0', '');
  return !isNamed(segment, 'ICC_PROFILE') || text.includes('sRGB');
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
