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
  const font = Buffer.alloc(end);
  const place = (name: string) => at[name] as number;
  writeGlyphs(font, glyphs, { glyf: place('glyf'), loca: place('loca'), hmtx: place('hmtx') }, isShort);
  writeHead(font, place('head'), unitsPerEm, bbox, isShort);
  writeHhea(font, place('hhea'), bbox, glyphs.length);
  writeMaxp(font, place('maxp'), glyphs);

  font.writeUInt32BE(0x00010000, 0);
  // The binary search fields: the largest power of two below six tables is four.
  [sizes.length, 64, 2, DIRECTORY_ENTRY * sizes.length - 64].forEach((value, i) => {
    font.writeUInt16BE(value, 4 + 2 * i);
  });
  let sum = 0;
  for (const [i, [name, size]] of sizes.entries()) {
    const entry = 12 + DIRECTORY_ENTRY * i;
    font.write(name, entry, 'latin1');
    const own = checksum(font, place(name), place(name) + ((size + 3) & ~3));
    sum += own;
    font.writeUInt32BE(own, entry + 4);
    font.writeUInt32BE(place(name), entry + 8);
    font.writeUInt32BE(size, entry + 12);
  }
  sum += checksum(font, 0, 12 + DIRECTORY_ENTRY * sizes.length);
  font.writeUInt32BE((MAGIC_SUM - sum) >>> 0, place('head') + 8);
  return font;
}

function writeGlyphs(
  font: Buffer,
  glyphs: TrueTypeFont['glyphs'],
  at: { readonly glyf: number; readonly loca: number; readonly hmtx: number },
  isShort: boolean,
): void {
  let offset = 0;
  for (const [i, { glyph, advance }] of glyphs.entries()) {
    const { bytes } = glyph;
    font.set(bytes, at.glyf + offset);
    offset += bytes.length;
    if (isShort) font.writeUInt16BE(offset / 2, at.loca + 2 * (i + 1));
    else font.writeUInt32BE(offset, at.loca + 4 * (i + 1));
    font.writeUInt16BE(Math.min(0xffff, Math.max(0, Math.round(advance))), at.hmtx + 4 * i);
    // The left side bearing equals the outline's xMin; otherwise readers would shift the glyph.
    if (bytes.length > 0) font.writeUInt16BE((bytes[2]! << 8) | bytes[3]!, at.hmtx + 4 * i + 2);
  }
}

function writeHead(font: Buffer, at: number, unitsPerEm: number, bbox: TrueTypeFont['bbox'], isShort: boolean): void {
  font.writeUInt32BE(0x00010000, at);
  font.writeUInt32BE(0x5f0f3cf5, at + 12);
  // Flags: the baseline is at y = 0, and left side bearings equal xMin.
  font.writeUInt16BE(3, at + 16);
  font.writeUInt16BE(unitsPerEm, at + 18);
  writeBox(font, at + 36, bbox);
  font.writeUInt16BE(8, at + 46);
  font.writeUInt16BE(2, at + 48);
  font.writeUInt16BE(isShort ? 0 : 1, at + 50);
}

function writeHhea(font: Buffer, at: number, [, bottom, , top]: TrueTypeFont['bbox'], count: number): void {
  font.writeUInt32BE(0x00010000, at);
  font.writeInt16BE(int16(top), at + 4);
  font.writeInt16BE(int16(bottom), at + 6);
  font.writeUInt16BE(count, at + 34);
}

function writeMaxp(font: Buffer, at: number, glyphs: TrueTypeFont['glyphs']): void {
  font.writeUInt32BE(0x00010000, at);
  font.writeUInt16BE(glyphs.length, at + 4);
  let [points, contours] = [0, 0];
  for (const { glyph } of glyphs) {
    points = Math.max(points, glyph.points);
    contours = Math.max(contours, glyph.contours);
  }
  font.writeUInt16BE(points, at + 6);
  font.writeUInt16BE(contours, at + 8);
  font.writeUInt16BE(1, at + 14);
  // maxSizeOfInstructions. No glyph has instructions, but with a 0 here FreeType autohints the font, and letters move
  // by up to a pixel in pdf.js and Ghostscript.
  font.writeUInt16BE(1, at + 26);
}

function writeBox(font: Buffer, at: number, bbox: TrueTypeFont['bbox']): void {
  for (const [i, value] of bbox.entries()) font.writeInt16BE(int16(value), at + 2 * i);
}

const int16 = (value: number) => Math.min(32_767, Math.max(-32_768, Math.round(value)));

/** The sum of the 32-bit words of a table. */
function checksum(font: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 4) {
    sum = (sum + ((font[i]! << 24) | (font[i + 1]! << 16) | (font[i + 2]! << 8) | font[i + 3]!)) | 0;
  }
  return sum >>> 0;
}
