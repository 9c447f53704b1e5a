// Reads the segments of a JPEG file up to the coded data (ITU-T T.81, annex B), and the EXIF orientation.

/** Markers (T.81, table B.1). */
export const MARKER = {
  startOfImage: 0xd8,
  endOfImage: 0xd9,
  startOfScan: 0xda,
  quantization: 0xdb,
  huffman: 0xc4,
  restartInterval: 0xdd,
  comment: 0xfe,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  /** Adobe's segment: whether three components are RGB or YCbCr. */
  app14: 0xee,
  app15: 0xef,
} as const;

export interface Segment {
  readonly marker: number;
  /** Offset of its marker in the file. */
  readonly at: number;
  /** The whole segment, including the marker. */
  readonly bytes: Uint8Array;
  /** Its content, after the length. */
  readonly body: Uint8Array;
}

/** The segments up to the first scan's header. Ends earlier if the file is damaged. */
export function* segmentsOf(file: Uint8Array): Generator<Segment> {
  if (file[0] !== 0xff || file[1] !== MARKER.startOfImage) return;
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // fill bytes may precede a marker
      continue;
    }
    if (marker === MARKER.endOfImage) return;
    const length = ((file[at + 2] ?? 0) << 8) | (file[at + 3] ?? 0);
    const bytes = file.subarray(at, at + 2 + length);
    if (length < 2 || bytes.length < 2 + length) return;
    yield { marker, at, bytes, body: bytes.subarray(4) };
    if (marker === MARKER.startOfScan) return;
    at += 2 + length;
  }
}

/** Any start of frame, including lossless and arithmetic ones; C4, C8 and CC are other markers. */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Whether a segment begins with a name, which includes its terminating zeros. */
export function isNamed({ body }: Segment, name: string): boolean {
  return body.length >= name.length && [...name].every((letter, i) => body[i] === letter.charCodeAt(0));
}

/** EXIF orientation of an APP1 segment, 1 (upright) when it holds none. */
export function orientationOf(segment: Segment): number {
  if (!isNamed(segment, 'Exif\0\0') || segment.body.length < 14) return 1;
  return tiffOrientation(segment.body.subarray(6));
}

/** The orientation in EXIF data (TIFF 6, section 2), 1 when it holds none. */
export function tiffOrientation(tiff: Uint8Array): number {
  if (tiff.length < 8) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const littleEndian = tiff[0] === 0x49 && tiff[1] === 0x49;
  const directory = view.getUint32(4, littleEndian);
  if (directory + 2 > view.byteLength) return 1;
  const entries = view.getUint16(directory, littleEndian);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i;
    if (entry + 12 > view.byteLength) return 1;
    if (view.getUint16(entry, littleEndian) === 0x0112) return view.getUint16(entry + 8, littleEndian);
  }
  return 1;
}
