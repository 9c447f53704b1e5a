// A JPEG file in, the same picture ready for PDF's DCTDecode out, without decoding it.
//
// Only what every reader shows as the raster back end does: 8-bit baseline or progressive, grey or YCbCr, sRGB. A picture
// that EXIF says is turned goes in as it lies, and the page turns it. One of CMYK is decoded: without a profile it is up to
// each reader what colours those numbers are. Pure cyan is 0 172 239 in poppler, and in Ghostscript and PDFium within 2 of
// that, but 0 255 255 in MuPDF.
// Comments, EXIF (with where and when it was taken) and thumbnails are left out; not a byte of the picture changes.

import { isFrame, isNamed, MARKER, orientationOf, type Segment, segmentsOf } from '#images/jpeg/segments.ts';

export interface JpegStream {
  /** Of the file's own pixel grid. */
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'DeviceRGB' | 'DeviceGray';
  /** How it has to be turned to stand upright: EXIF's, 1 to 8. */
  readonly orientation: number;
  readonly bytes: Uint8Array;
}

const RESTART_0 = 0xd0;
const RESTART_7 = 0xd7;
/** Baseline, extended sequential and progressive frames with Huffman coding: what DCTDecode knows. */
const FRAMES = [0xc0, 0xc1, 0xc2];

/** The stream, or null when the file has to be decoded and encoded anew. */
export function jpegStream(file: Uint8Array): JpegStream | null {
  const kept: Uint8Array[] = [file.subarray(0, 2)];
  let orientation = 1;
  let frame: { readonly width: number; readonly height: number; readonly components: number } | null = null;

  for (const segment of segmentsOf(file)) {
    const { marker, at, bytes, body } = segment;
    if (marker === MARKER.startOfScan) {
      const end = frame && endOfImage(file, at);
      if (!frame || end === null) return null;
      kept.push(file.subarray(at, end));
      return {
        width: frame.width,
        height: frame.height,
        colorSpace: frame.components === 1 ? 'DeviceGray' : 'DeviceRGB',
        orientation,
        bytes: Buffer.concat(kept),
      };
    }
    if (FRAMES.includes(marker)) {
      if (body.length < 6 || body[0] !== 8) return null;
      const view = new DataView(body.buffer, body.byteOffset);
      frame = { height: view.getUint16(1), width: view.getUint16(3), components: view.getUint8(5) };
      if (frame.components !== 1 && frame.components !== 3) return null;
    } else if (isFrame(marker)) return null;
    if (marker === MARKER.app1 && isNamed(segment, 'Exif\0\0')) {
      const told = orientationOf(segment);
      // Two that differ: whoever decodes it decides.
      if (told !== 1 && orientation !== 1 && told !== orientation) return null;
      if (told > 1 && told <= 8) orientation = told;
    }
    if (marker === MARKER.app2 && !isSrgb(segment)) return null;
    const isApplications = marker >= MARKER.app0 && marker <= MARKER.app15 && marker !== MARKER.app14;
    if (!isApplications && marker !== MARKER.comment) kept.push(bytes);
  }
  return null;
}

/**
 * The offset behind the last marker, from the first scan at `at` on; what cameras append (films, other exposures) is
 * no part of the picture. Null when the file breaks off.
 */
function endOfImage(file: Uint8Array, at: number): number | null {
  let next = at;
  while (next + 4 <= file.length) {
    // At a marker with a length; entropy-coded data may follow it, in which FF is stuffed or a restart.
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

/** Whether a colour profile says that it is sRGB, in its description of one byte or two a character. */
function isSrgb(segment: Segment): boolean {
  const text = Buffer.from(segment.body).toString('latin1').replaceAll('\0', '');
  return !isNamed(segment, 'ICC_PROFILE') || text.includes('sRGB');
}
