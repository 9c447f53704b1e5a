// A JPEG file in, the same picture ready for PDF's DCTDecode out, without decoding it.
//
// Only what every reader shows as the raster back end does: 8-bit baseline or progressive, grey or YCbCr, upright, sRGB.
// Comments, EXIF (with where and when it was taken) and thumbnails are left out; not a byte of the picture changes.

export interface JpegStream {
  /** Of the file's own pixel grid. */
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'DeviceRGB' | 'DeviceGray';
  readonly bytes: Uint8Array;
}

/** Markers (ITU-T T.81, table B.1). */
const START_OF_IMAGE = 0xd8;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const RESTART_0 = 0xd0;
const RESTART_7 = 0xd7;
const COMMENT = 0xfe;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
/** Adobe's: says whether three components are RGB or YCbCr, so it stays. */
const APP14 = 0xee;
const APP15 = 0xef;
/** Baseline, extended sequential and progressive frames with Huffman coding: what DCTDecode knows. */
const FRAMES = [0xc0, 0xc1, 0xc2];

/** The stream, or null when the file has to be decoded and encoded anew. */
export function jpegStream(file: Uint8Array): JpegStream | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 4 || view.getUint16(0) !== (0xff00 | START_OF_IMAGE)) return null;
  const kept: Uint8Array[] = [file.subarray(0, 2)];
  let frame: { readonly width: number; readonly height: number; readonly components: number } | null = null;

  let at = 2;
  while (at + 4 <= file.length) {
    if (file[at] !== 0xff) return null;
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // fill bytes may precede a marker
      continue;
    }
    if (marker === END_OF_IMAGE) return null;
    const length = view.getUint16(at + 2);
    const segment = file.subarray(at, at + 2 + length);
    if (length < 2 || segment.length < 2 + length) return null;
    if (marker === START_OF_SCAN) {
      const end = frame && endOfImage(file, at);
      if (!frame || end === null) return null;
      kept.push(file.subarray(at, end));
      return {
        width: frame.width,
        height: frame.height,
        colorSpace: frame.components === 1 ? 'DeviceGray' : 'DeviceRGB',
        bytes: Buffer.concat(kept),
      };
    }
    if (FRAMES.includes(marker)) {
      if (length < 8 || segment[4] !== 8) return null;
      frame = { height: view.getUint16(at + 5), width: view.getUint16(at + 7), components: segment[9] ?? 0 };
      if (frame.components !== 1 && frame.components !== 3) return null;
    } else if (isFrame(marker)) return null;
    if (marker === APP1 && orientation(segment) !== 1) return null;
    if (marker === APP2 && !isSrgb(segment)) return null;
    const isDropped = (marker >= APP0 && marker <= APP15 && marker !== APP14) || marker === COMMENT;
    if (!isDropped) kept.push(segment);
    at += 2 + length;
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
      if (marker === END_OF_IMAGE) return next + 2;
      const isData = marker === 0 || (marker >= RESTART_0 && marker <= RESTART_7);
      if (!isData && marker !== 0xff) break;
      next += marker === 0xff ? 1 : 2;
    }
  }
  return null;
}

/** Any start of frame, lossless and arithmetic ones too; C4, C8 and CC are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** EXIF orientation of an APP1 segment, 1 (upright) when it holds none. */
function orientation(segment: Uint8Array): number {
  const ascii = (from: number, to: number) => String.fromCharCode(...segment.subarray(from, to));
  if (ascii(4, 10) !== 'Exif\0\0' || segment.length < 18) return 1;
  const tiff = new DataView(segment.buffer, segment.byteOffset + 10, segment.byteLength - 10);
  const littleEndian = ascii(10, 12) === 'II';
  const directory = tiff.getUint32(4, littleEndian);
  if (directory + 2 > tiff.byteLength) return 1;
  const entries = tiff.getUint16(directory, littleEndian);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i;
    if (entry + 12 > tiff.byteLength) return 1;
    if (tiff.getUint16(entry, littleEndian) === 0x0112) return tiff.getUint16(entry + 8, littleEndian);
  }
  return 1;
}

/** Whether a colour profile says that it is sRGB, in its description of one byte or two a character. */
function isSrgb(segment: Uint8Array): boolean {
  const text = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength).toString('latin1');
  return !text.startsWith('ICC_PROFILE', 4) || text.replaceAll('\0', '').includes('sRGB');
}
