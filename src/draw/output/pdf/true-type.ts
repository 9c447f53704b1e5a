// Writes a TrueType font program as PDF embeds it under `FontFile2` (ISO 32000-1, 9.9): the six required tables, glyph
// index = CID.

import type { QuadraticGlyph } from './quadratic-glyph.ts';

export interface TrueTypeFont {
  readonly unitsPerEm: number;
  /** Left, bottom, right, top in font units. */
  readonly bbox: readonly [number, number, number, number];
  /** The first is `.notdef`. 1 to 65,535. */
  readonly glyphs: readonly { readonly advance: number; readonly glyph: QuadraticGlyph }[];
}

const DIRECTORY_ENTRY = 16;
/** The required sum of a font's checksum and `checkSumAdjustment`. */
const MAGIC_SUM = 0xb1b0afba;
const HEAD_LENGTH = 54;
const HHEA_LENGTH = 36;
const MAXP_LENGTH = 32;
/** The short form of `loca` stores half the offset in 16 bits. */
const LONGEST_SHORT = 2 * 0xffff;

export function trueType({ unitsPerEm, bbox, glyphs }: TrueTypeFont): Uint8Array {
  const length = glyphs.reduce((sum, { glyph }) => sum + glyph.bytes.length, 0);
  const isShort = length <= LONGEST_SHORT;
  const sizes: readonly (readonly [name: string, size: number])[] = [
    ['glyf', length],
    ['head', HEAD_LENGTH],
    ['hhea', HHEA_LENGTH],
    ['hmtx', 4 * glyphs.length],
    ['loca', (isShort ? 2 : 4) * (glyphs.length + 1)],
    ['maxp', MAXP_LENGTH],
  ];
  let end = 12 + DIRECTORY_ENTRY * sizes.length;
  const at: Record<string, number> = {};
  for (const [name, size] of sizes) {
    at[name] = end;
    end += (size + 3) & ~3;
  }
  const font = new DataView(new ArrayBuffer(end));
  const place = (name: string) => at[name] as number;
  writeGlyphs(font, glyphs, { glyf: place('glyf'), loca: place('loca'), hmtx: place('hmtx') }, isShort);
  writeHead(font, place('head'), unitsPerEm, bbox, isShort);
  writeHhea(font, place('hhea'), bbox, glyphs.length);
  writeMaxp(font, place('maxp'), glyphs);

  font.setUint32(0, 0x00010000);
  // The binary search fields: the largest power of two below six tables is four.
  [sizes.length, 64, 2, DIRECTORY_ENTRY * sizes.length - 64].forEach((value, i) => {
    font.setUint16(4 + 2 * i, value);
  });
  let sum = 0;
  for (const [i, [name, size]] of sizes.entries()) {
    const entry = 12 + DIRECTORY_ENTRY * i;
    for (let i = 0; i < name.length; i++) font.setUint8(entry + i, name.charCodeAt(i));
    const own = checksum(font, place(name), place(name) + ((size + 3) & ~3));
    sum += own;
    font.setUint32(entry + 4, own);
    font.setUint32(entry + 8, place(name));
    font.setUint32(entry + 12, size);
  }
  sum += checksum(font, 0, 12 + DIRECTORY_ENTRY * sizes.length);
  font.setUint32(place('head') + 8, (MAGIC_SUM - sum) >>> 0);
  return new Uint8Array(font.buffer);
}

function writeGlyphs(
  font: DataView,
  glyphs: TrueTypeFont['glyphs'],
  at: { readonly glyf: number; readonly loca: number; readonly hmtx: number },
  isShort: boolean,
): void {
  const whole = new Uint8Array(font.buffer);
  let offset = 0;
  for (const [i, { glyph, advance }] of glyphs.entries()) {
    const { bytes } = glyph;
    whole.set(bytes, at.glyf + offset);
    offset += bytes.length;
    if (isShort) font.setUint16(at.loca + 2 * (i + 1), offset / 2);
    else font.setUint32(at.loca + 4 * (i + 1), offset);
    font.setUint16(at.hmtx + 4 * i, Math.min(0xffff, Math.max(0, Math.round(advance))));
    // The left side bearing equals the outline's xMin; otherwise readers would shift the glyph.
    if (bytes.length > 0) font.setUint16(at.hmtx + 4 * i + 2, (bytes[2]! << 8) | bytes[3]!);
  }
}

function writeHead(font: DataView, at: number, unitsPerEm: number, bbox: TrueTypeFont['bbox'], isShort: boolean): void {
  font.setUint32(at, 0x00010000);
  font.setUint32(at + 12, 0x5f0f3cf5);
  // Flags: the baseline is at y = 0, and left side bearings equal xMin.
  font.setUint16(at + 16, 3);
  font.setUint16(at + 18, unitsPerEm);
  writeBox(font, at + 36, bbox);
  font.setUint16(at + 46, 8);
  font.setUint16(at + 48, 2);
  font.setUint16(at + 50, isShort ? 0 : 1);
}

function writeHhea(font: DataView, at: number, [, bottom, , top]: TrueTypeFont['bbox'], count: number): void {
  font.setUint32(at, 0x00010000);
  font.setInt16(at + 4, int16(top));
  font.setInt16(at + 6, int16(bottom));
  font.setUint16(at + 34, count);
}

function writeMaxp(font: DataView, at: number, glyphs: TrueTypeFont['glyphs']): void {
  font.setUint32(at, 0x00010000);
  font.setUint16(at + 4, glyphs.length);
  let [points, contours] = [0, 0];
  for (const { glyph } of glyphs) {
    points = Math.max(points, glyph.points);
    contours = Math.max(contours, glyph.contours);
  }
  font.setUint16(at + 6, points);
  font.setUint16(at + 8, contours);
  font.setUint16(at + 14, 1);
  // maxSizeOfInstructions. No glyph has instructions, but with a 0 here FreeType autohints the font, and letters move
  // by up to a pixel in pdf.js and Ghostscript.
  font.setUint16(at + 26, 1);
}

function writeBox(font: DataView, at: number, bbox: TrueTypeFont['bbox']): void {
  for (const [i, value] of bbox.entries()) font.setInt16(at + 2 * i, int16(value));
}

const int16 = (value: number) => Math.min(32_767, Math.max(-32_768, Math.round(value)));

/** The sum of the 32-bit words of a table. */
function checksum(font: DataView, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 4) {
    sum = (sum + font.getInt32(i)) | 0;
  }
  return sum >>> 0;
}
