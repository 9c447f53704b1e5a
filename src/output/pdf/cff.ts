// Charstrings in, a CFF font program out (Adobe Technical Note 5176), CID-keyed with CID = glyph index, as PDF embeds it
// under `/Subtype /CIDFontType0C`.
//
// Only what a reader needs to draw the glyphs: no hints, no subroutines, no encoding.

import { integer } from './charstring.ts';

export interface CffFont {
  /** PostScript name, ASCII. */
  readonly name: string;
  readonly unitsPerEm: number;
  /** Left, bottom, right, top in font units. */
  readonly bbox: readonly [number, number, number, number];
  /** The first is `.notdef`. 1 to 65,535. */
  readonly charstrings: readonly Uint8Array[];
}

/** The first string of a font's own, after the 391 standard ones. */
const FIRST_STRING_ID = 391;

/** DICT operators; the high byte is the escape. */
const FONT_BBOX = [5];
const FONT_MATRIX = [12, 7];
const CHARSET = [15];
const CHAR_STRINGS = [17];
const PRIVATE = [18];
const DEFAULT_WIDTH = [20];
const NOMINAL_WIDTH = [21];
const ROS = [12, 30];
const CID_COUNT = [12, 34];
const FD_ARRAY = [12, 36];
const FD_SELECT = [12, 37];

export function cff(font: CffFont): Uint8Array {
  const count = font.charstrings.length;
  const header = Uint8Array.of(1, 0, 4, 4);
  const names = index([ascii(font.name)]);
  const strings = index([ascii('Adobe'), ascii('Identity')]);
  const globalSubroutines = index([]);
  // One range covers every glyph but the first, which needs none.
  const charset = count > 1 ? Uint8Array.of(2, 0, 1, ...uint16(count - 2)) : Uint8Array.of(0);
  const fdSelect = Uint8Array.of(3, 0, 1, 0, 0, 0, ...uint16(count));
  const charStrings = index(font.charstrings);

  // Offsets are always written in five bytes, so the DICT's length does not depend on them.
  const topDict = (at: Offsets) =>
    index([
      Uint8Array.of(
        ...integer(FIRST_STRING_ID),
        ...integer(FIRST_STRING_ID + 1),
        ...integer(0),
        ...ROS,
        ...(font.unitsPerEm === 1000 ? [] : [...fontMatrix(font.unitsPerEm), ...FONT_MATRIX]),
        ...font.bbox.flatMap((value) => integer(Math.round(value))),
        ...FONT_BBOX,
        ...offset(count),
        ...CID_COUNT,
        ...offset(at.charset),
        ...CHARSET,
        ...offset(at.fdSelect),
        ...FD_SELECT,
        ...offset(at.charStrings),
        ...CHAR_STRINGS,
        ...offset(at.fdArray),
        ...FD_ARRAY,
      ),
    ]);
  const privateDict = Uint8Array.of(...integer(0), ...DEFAULT_WIDTH, ...integer(0), ...NOMINAL_WIDTH);
  const fdArray = (privateAt: number) =>
    index([Uint8Array.of(...integer(privateDict.length), ...offset(privateAt), ...PRIVATE)]);

  const start = header.length + names.length + topDict(NOWHERE).length + strings.length + globalSubroutines.length;
  const charsetAt = start;
  const fdSelectAt = charsetAt + charset.length;
  const charStringsAt = fdSelectAt + fdSelect.length;
  const fdArrayAt = charStringsAt + charStrings.length;
  const privateAt = fdArrayAt + fdArray(0).length;

  return concat([
    header,
    names,
    topDict({ charset: charsetAt, fdSelect: fdSelectAt, charStrings: charStringsAt, fdArray: fdArrayAt }),
    strings,
    globalSubroutines,
    charset,
    fdSelect,
    charStrings,
    fdArray(privateAt),
    privateDict,
  ]);
}

interface Offsets {
  readonly charset: number;
  readonly fdSelect: number;
  readonly charStrings: number;
  readonly fdArray: number;
}
const NOWHERE: Offsets = { charset: 0, fdSelect: 0, charStrings: 0, fdArray: 0 };

/** An INDEX: count, offset size, offsets from 1, data. */
function index(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return Uint8Array.of(0, 0);
  const size = items.reduce((sum, item) => sum + item.length, 0);
  const head = new Uint8Array(3 + 4 * (items.length + 1));
  const view = new DataView(head.buffer);
  view.setUint16(0, items.length);
  view.setUint8(2, 4);
  let at = 1;
  items.forEach((item, i) => {
    view.setUint32(3 + 4 * i, at);
    at += item.length;
  });
  view.setUint32(3 + 4 * items.length, size + 1);
  return concat([head, ...items]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function uint16(value: number): readonly number[] {
  return [(value >> 8) & 255, value & 255];
}

/** An integer in its longest form. */
function offset(value: number): readonly number[] {
  return [29, (value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/** `[1/em 0 0 1/em 0 0]` as reals: packed decimal digits, `a` the point, `c` the negative exponent, `f` the end. */
function fontMatrix(unitsPerEm: number): readonly number[] {
  const [mantissa, exponent] = (1 / unitsPerEm).toExponential(12).split('e-');
  const digits = `${(mantissa ?? '').replace('.', 'a')}c${exponent}f`;
  const nibbles = digits.length % 2 === 0 ? digits : `${digits}f`;
  const scale = [30, ...(nibbles.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))];
  return [...scale, ...integer(0), ...integer(0), ...scale, ...integer(0), ...integer(0)];
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0) & 127);
}
