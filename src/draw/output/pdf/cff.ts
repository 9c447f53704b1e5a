// Writes a CFF font program (Adobe Technical Note 5176) from charstrings. It is CID-keyed with CID = glyph index, as
// PDF embeds it under `/Subtype /CIDFontType0C`.
//
// It contains only what a reader needs to draw the glyphs: no hints, no subroutines, no encoding.

import { integer } from './charstring.ts';
import { bytesOfHex } from './syntax.ts';

export interface CffFont {
  /** PostScript name, ASCII. */
  readonly name: string;
  readonly unitsPerEm: number;
  /** Left, bottom, right, top in font units. */
  readonly bbox: readonly [number, number, number, number];
  /** The first is `.notdef`. 1 to 65,535. */
  readonly charstrings: readonly Uint8Array[];
}

/** The first custom string id, after the 391 standard strings. */
const FIRST_STRING_ID = 391;

/** DICT operators; 12 is the escape byte of two-byte operators. */
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

type Bytes = ArrayLike<number>;

const HEADER = [1, 0, 4, 4];
const STRINGS = index([ascii('Adobe'), ascii('Identity')]);
const GLOBAL_SUBROUTINES = index([]);
const PRIVATE_DICT = [...integer(0), ...DEFAULT_WIDTH, ...integer(0), ...NOMINAL_WIDTH];
const REGISTRY_ORDERING_SUPPLEMENT = [
  ...integer(FIRST_STRING_ID),
  ...integer(FIRST_STRING_ID + 1),
  ...integer(0),
  ...ROS,
];

export function cff({ name, unitsPerEm, bbox, charstrings }: CffFont): Uint8Array {
  const count = charstrings.length;
  const names = index([ascii(name)]);
  const shape = [
    ...REGISTRY_ORDERING_SUPPLEMENT,
    ...(unitsPerEm === 1000 ? [] : fontMatrix(unitsPerEm)),
    ...bbox.flatMap((value) => integer(Math.round(value))),
    ...FONT_BBOX,
    ...offset(count),
    ...CID_COUNT,
  ];
  const topDict = (charset: number, fdSelect: number, charStrings: number, fdArray: number) =>
    index([
      [
        ...shape,
        ...offset(charset),
        ...CHARSET,
        ...offset(fdSelect),
        ...FD_SELECT,
        ...offset(charStrings),
        ...CHAR_STRINGS,
        ...offset(fdArray),
        ...FD_ARRAY,
      ],
    ]);
  const fdArray = (privateAt: number) => index([[...integer(PRIVATE_DICT.length), ...offset(privateAt), ...PRIVATE]]);
  // One range covers every glyph but the first: glyph 0 is implied.
  const charset = count > 1 ? [2, 0, 1, ...uint16(count - 2)] : [0];
  const fdSelect = [3, 0, 1, 0, 0, 0, ...uint16(count)];
  const charStrings = index(charstrings);

  // Offsets always take five bytes, so the length of the DICT does not depend on their values.
  const charsetAt =
    HEADER.length + names.length + topDict(0, 0, 0, 0).length + STRINGS.length + GLOBAL_SUBROUTINES.length;
  const fdSelectAt = charsetAt + charset.length;
  const charStringsAt = fdSelectAt + fdSelect.length;
  const fdArrayAt = charStringsAt + charStrings.length;
  const privateAt = fdArrayAt + fdArray(0).length;

  return concat([
    HEADER,
    names,
    topDict(charsetAt, fdSelectAt, charStringsAt, fdArrayAt),
    STRINGS,
    GLOBAL_SUBROUTINES,
    charset,
    fdSelect,
    charStrings,
    fdArray(privateAt),
    PRIVATE_DICT,
  ]);
}

/** An INDEX: count, offset size, offsets from 1, data. */
function index(items: readonly Bytes[]): Uint8Array {
  if (items.length === 0) return Uint8Array.of(0, 0);
  const size = items.reduce((sum, item) => sum + item.length, 0);
  const offsetSize = 1 + (Math.log2(size + 1) >> 3);
  const bytes = new Uint8Array(3 + offsetSize * (items.length + 1) + size);
  bytes.set([items.length >> 8, items.length & 255, offsetSize]);
  const data = bytes.length - size;
  let at = 0;
  for (let i = 0; i <= items.length; i++) {
    for (let byte = 0; byte < offsetSize; byte++) {
      bytes[3 + offsetSize * (i + 1) - 1 - byte] = (at + 1) >>> (8 * byte);
    }
    const item = items[i] ?? [];
    bytes.set(item, data + at);
    at += item.length;
  }
  return bytes;
}

function concat(parts: readonly Bytes[]): Uint8Array {
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

/** Encodes an integer in the five-byte form. */
function offset(value: number): readonly number[] {
  return [29, (value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/** Encoded matrices by units per em; fonts in use have only a few different values. */
const FONT_MATRICES = new Map<number, readonly number[]>();

function fontMatrix(unitsPerEm: number): readonly number[] {
  let operation = FONT_MATRICES.get(unitsPerEm);
  if (!operation) {
    operation = encodeFontMatrix(unitsPerEm);
    FONT_MATRICES.set(unitsPerEm, operation);
  }
  return operation;
}

/** `[1/em 0 0 1/em 0 0]` as reals: packed decimal digits, `a` the point, `c` the negative exponent, `f` the end. */
function encodeFontMatrix(unitsPerEm: number): readonly number[] {
  const [mantissa, exponent] = (1 / unitsPerEm).toExponential(12).split('e-');
  const digits = `${(mantissa ?? '').replace('.', 'a')}c${exponent}f`;
  const nibbles = digits.length % 2 === 0 ? digits : `${digits}f`;
  const scale = [30, ...bytesOfHex(nibbles)];
  return [...scale, ...integer(0), ...integer(0), ...scale, ...integer(0), ...integer(0), ...FONT_MATRIX];
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0) & 127);
}
