// Reads the glyphs of a font program that true-type.ts or cff.ts wrote.

import type { QuadraticGlyph } from './quadratic-glyph.ts';
import { foreign } from './read-pdf.ts';

/** Glyphs by code, in the form of their program. */
export type ReadGlyphs =
  | {
      readonly isTrueType: true;
      readonly glyphs: readonly { readonly advance: number; readonly glyph: QuadraticGlyph }[];
    }
  | { readonly isTrueType: false; readonly charstrings: readonly Uint8Array[] };

/** @throws Error when the program is not one of ours */
export function readTrueType(font: Buffer): ReadGlyphs & { readonly isTrueType: true; readonly unitsPerEm: number } {
  const at = new Map<string, number>();
  for (let entry = 12, i = 0; i < font.readUInt16BE(4); i += 1, entry += 16) {
    at.set(font.toString('latin1', entry, entry + 4), font.readUInt32BE(entry + 8));
  }
  const table = (name: string): number => {
    const offset = at.get(name);
    if (offset === undefined) throw foreign(`a font has no table ${name}`);
    return offset;
  };
  const [glyf, head, hmtx, loca, maxp] = ['glyf', 'head', 'hmtx', 'loca', 'maxp'].map(table) as [
    ...[number, number, number, number, number],
  ];
  const isShort = font.readUInt16BE(head + 50) === 0;
  const place = (index: number) =>
    glyf + (isShort ? 2 * font.readUInt16BE(loca + 2 * index) : font.readUInt32BE(loca + 4 * index));
  const glyphs = Array.from({ length: font.readUInt16BE(maxp + 4) }, (_, index) => {
    const bytes = font.subarray(place(index), place(index + 1));
    const contours = bytes.length === 0 ? 0 : bytes.readInt16BE(0);
    // The last point of the last contour comes after the ten bytes of the head.
    const points = contours === 0 ? 0 : bytes.readUInt16BE(8 + 2 * contours) + 1;
    return { advance: font.readUInt16BE(hmtx + 4 * index), glyph: { bytes, points, contours } };
  });
  return { isTrueType: true, glyphs, unitsPerEm: font.readUInt16BE(head + 18) };
}

/** Operators of a top DICT; 12 is the escape byte of two-byte operators. */
const CHAR_STRINGS = '17';
const FONT_MATRIX = '12 7';

/** @throws Error when the program is not one of ours */
export function readCff(font: Buffer): ReadGlyphs & { readonly isTrueType: false; readonly unitsPerEm: number } {
  const names = indexAt(font, font.readUInt8(2));
  const [top] = indexAt(font, names.end).items;
  if (!top) throw foreign('a font has no top DICT');
  const operands = dictOf(top);
  const matrix = operands.get(FONT_MATRIX)?.[0];
  return {
    isTrueType: false,
    charstrings: indexAt(font, operands.get(CHAR_STRINGS)?.[0] ?? font.length).items,
    unitsPerEm: matrix === undefined ? 1000 : Math.round(1 / matrix),
  };
}

/** An INDEX: count, offset size, offsets from 1, data. */
function indexAt(font: Buffer, at: number): { readonly items: readonly Buffer[]; readonly end: number } {
  const count = font.readUInt16BE(at);
  if (count === 0) return { items: [], end: at + 2 };
  const size = font.readUInt8(at + 2);
  const data = at + 2 + size * (count + 1);
  const offset = (index: number) => data + font.readUIntBE(at + 3 + size * index, size);
  const items = Array.from({ length: count }, (_, index) => font.subarray(offset(index), offset(index + 1)));
  return { items, end: offset(count) };
}

/** The operands of a DICT by their operator. */
function dictOf(dict: Buffer): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  let operands: number[] = [];
  for (let at = 0; at < dict.length; ) {
    const byte = dict.readUInt8(at);
    if (byte <= 21) {
      found.set(byte === 12 ? `12 ${dict.readUInt8(at + 1)}` : String(byte), operands);
      operands = [];
      at += byte === 12 ? 2 : 1;
    } else if (byte === 30) {
      const end = dict.findIndex((value, index) => index > at && (value & 15) === 15) + 1;
      operands.push(realOf(dict.subarray(at + 1, end)));
      at = end;
    } else {
      const [length, value] = integerAt(dict, at, byte);
      operands.push(value);
      at += length;
    }
  }
  return found;
}

function integerAt(dict: Buffer, at: number, byte: number): readonly [length: number, value: number] {
  if (byte === 28) return [3, dict.readInt16BE(at + 1)];
  if (byte === 29) return [5, dict.readInt32BE(at + 1)];
  if (byte <= 246) return [1, byte - 139];
  const next = dict.readUInt8(at + 1);
  return [2, byte <= 250 ? (byte - 247) * 256 + next + 108 : -(byte - 251) * 256 - next - 108];
}

/** Packed decimal digits: `a` is the point, `c` the negative exponent, `f` the end. */
const realOf = (digits: Buffer): number =>
  Number(digits.toString('hex').replaceAll('f', '').replace('a', '.').replace('c', 'e-'));
