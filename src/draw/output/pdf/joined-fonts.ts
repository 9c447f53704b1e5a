// Joins the font subsets of several PDF files: each face once, with all glyphs that any of the files uses, and the codes
// that each file's text gets.
//
// Glyphs are compared by their outlines, widths and texts, so nothing but the files themselves says which fonts are the
// same.

import { cff } from './cff.ts';
import { MAX_CODES } from './font-subset.ts';
import type { Dictionary, PdfReference } from './object.ts';
import type { QuadraticGlyph } from './quadratic-glyph.ts';
import { contentOf, findReference, foreign, numberIn, type ReadPdf, type WrittenObject } from './read-pdf.ts';
import { trueType } from './true-type.ts';
import { type FontProgram, writeFontObjects } from './type0-font.ts';

/** A font of a file, as its text has to name it in the joined file. */
export interface JoinedFont {
  readonly reference: PdfReference;
  /** The new code of each old one. */
  readonly codes: readonly number[];
  /** Whether every code is as it was. */
  readonly isSame: boolean;
}

interface Writer {
  reserve(): PdfReference;
  write(reference: PdfReference, data: Dictionary, stream?: Uint8Array | string): void;
}

/** Most bytes of glyphs that are kept while files are joined: the fonts are then written, and new ones begun. */
const MOST_KEPT = 16 * 1024 * 1024;

type Glyph =
  | { readonly kind: 'quadratic'; readonly advance: number; readonly glyph: QuadraticGlyph }
  | { readonly kind: 'charstring'; readonly charstring: Uint8Array };

interface ReadFont {
  readonly key: string;
  readonly isTrueType: boolean;
  readonly postScriptName: string;
  readonly unitsPerEm: number;
  /** The text of its descriptor. */
  readonly descriptor: string;
  readonly bbox: readonly number[];
  readonly glyphs: readonly Glyph[];
  readonly widths: readonly number[];
  readonly texts: readonly string[];
}

export class JoinedFonts {
  readonly #writer: Writer;
  readonly #unions = new Map<string, Union>();
  #kept = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Takes up a Type 0 font of a file. @throws Error when it is not one of ours */
  async add(file: ReadPdf, font: WrittenObject): Promise<JoinedFont> {
    const read = await readFont(file, font);
    let union = this.#unions.get(read.key);
    if (!union || union.size + read.glyphs.length > MAX_CODES) {
      union?.write();
      union = new Union(this.#writer, read);
      this.#unions.set(read.key, union);
    }
    const { font: joined, added } = union.add(read);
    this.#kept += added;
    if (this.#kept > MOST_KEPT) this.finish();
    return joined;
  }

  /** Writes the fonts. */
  finish(): void {
    for (const union of this.#unions.values()) union.write();
    this.#unions.clear();
    this.#kept = 0;
  }
}

/** The glyphs of one face in one kind of program. */
class Union {
  readonly #writer: Writer;
  readonly #reference: PdfReference;
  readonly #like: ReadFont;
  readonly #codes = new Map<string, number>();
  readonly #glyphs: Glyph[] = [];
  readonly #widths: number[] = [];
  readonly #texts: string[] = [];
  #bbox: readonly number[];

  constructor(writer: Writer, like: ReadFont) {
    this.#writer = writer;
    this.#reference = writer.reserve();
    this.#like = like;
    this.#bbox = like.bbox;
  }

  get size(): number {
    return this.#glyphs.length;
  }

  /** @returns with the bytes that are kept for it from now on */
  add({ glyphs, widths, texts, bbox }: ReadFont): { readonly font: JoinedFont; readonly added: number } {
    let added = 0;
    const codes = glyphs.map((glyph, index) => {
      const [width = 0, text = ''] = [widths[index], texts[index]];
      const bytes = bytesOf(glyph);
      const shape = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      const key = `${width} ${glyph.kind === 'quadratic' ? glyph.advance : ''} ${text} ${shape}`;
      const known = this.#codes.get(key);
      if (known !== undefined) return known;
      const code = this.#glyphs.push(copied(glyph)) - 1;
      this.#codes.set(key, code);
      this.#widths.push(width);
      this.#texts.push(text);
      added += 2 * key.length;
      return code;
    });
    this.#bbox = this.#bbox.map((value, side) => {
      const other = bbox[side] ?? value;
      return side < 2 ? Math.min(value, other) : Math.max(value, other);
    });
    const isSame = codes.every((code, index) => code === index);
    return { font: { reference: this.#reference, codes, isSame }, added };
  }

  write(): void {
    const { postScriptName, descriptor } = this.#like;
    const number = (key: string) => numberIn(descriptor, key);
    writeFontObjects(this.#writer, this.#reference, {
      ...{ postScriptName, program: this.#program(), bbox: this.#bbox, widths: this.#widths, texts: this.#texts },
      ...{ flags: number('Flags'), italicAngle: number('ItalicAngle') },
      ...{ ascent: number('Ascent'), descent: number('Descent'), capHeight: number('CapHeight') },
    });
  }

  #program(): FontProgram {
    const { isTrueType, unitsPerEm, postScriptName } = this.#like;
    const bbox = this.#bbox.map((value) => (value * unitsPerEm) / 1000) as [number, number, number, number];
    const bytes = isTrueType
      ? trueType({
          unitsPerEm,
          bbox,
          glyphs: this.#glyphs.flatMap((glyph) => (glyph.kind === 'quadratic' ? glyph : [])),
        })
      : cff({
          ...{ name: postScriptName, unitsPerEm, bbox },
          charstrings: this.#glyphs.flatMap((glyph) => (glyph.kind === 'charstring' ? glyph.charstring : [])),
        });
    return { isTrueType, bytes };
  }
}

const bytesOf = (glyph: Glyph): Uint8Array => (glyph.kind === 'quadratic' ? glyph.glyph.bytes : glyph.charstring);

/** Without the file that it was read from, which would be kept as a whole. */
function copied(glyph: Glyph): Glyph {
  if (glyph.kind === 'charstring') return { ...glyph, charstring: Uint8Array.from(glyph.charstring) };
  return { ...glyph, glyph: { ...glyph.glyph, bytes: Uint8Array.from(glyph.glyph.bytes) } };
}

async function readFont({ objects }: ReadPdf, { text }: WrittenObject): Promise<ReadFont> {
  const at = (from: string, key: string): WrittenObject => {
    const object = objects.get(findReference(from, key) ?? 0);
    if (!object) throw foreign(`a font has no ${key}`);
    return object;
  };
  const descendant = at(text, 'DescendantFonts').text;
  const descriptor = at(descendant, 'FontDescriptor').text;
  const isTrueType = descriptor.includes('/FontFile2 ');
  const program = await contentOf(at(descriptor, isTrueType ? 'FontFile2' : 'FontFile3'));
  const read = isTrueType ? readTrueType(program) : readCff(program);
  const glyphs = read.isTrueType
    ? read.glyphs.map((glyph): Glyph => ({ kind: 'quadratic', ...glyph }))
    : read.charstrings.map((charstring): Glyph => ({ kind: 'charstring', charstring }));
  const postScriptName = /\/BaseFont \/[A-Z]{6}\+([\w-]+)/.exec(text)?.[1];
  if (postScriptName === undefined) throw foreign('a font has no name');
  const metrics = ['Flags', 'Ascent', 'Descent', 'CapHeight'].map((key) => numberIn(descriptor, key));
  return {
    ...{ isTrueType, postScriptName, descriptor, glyphs, unitsPerEm: read.unitsPerEm },
    key: [postScriptName, isTrueType, read.unitsPerEm, ...metrics].join(' '),
    bbox: numbersOf(/\/FontBBox \[([^[\]]*)\]/.exec(descriptor)?.[1]),
    widths: numbersOf(/\/W \[0 \[([^[\]]*)\]\]/.exec(descendant)?.[1]),
    texts: textsOf((await contentOf(at(text, 'ToUnicode'))).toString('latin1')),
  };
}

const numbersOf = (list = ''): readonly number[] => list.split(' ').map(Number);

/** By code; `.notdef` has none. */
function textsOf(map: string): readonly string[] {
  const texts: string[] = [''];
  for (const [, from = '', list = ''] of map.matchAll(/^<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*)\]$/gm)) {
    for (const [index, [, text = '']] of [...list.matchAll(/<([0-9a-f]*)>/g)].entries()) {
      texts[Number.parseInt(from, 16) + index] = text;
    }
  }
  return texts;
}

// Reads the glyphs of a font program that true-type.ts or cff.ts wrote.

/** Glyphs by code, in the form of their program. */
type ReadGlyphs =
  | {
      readonly isTrueType: true;
      readonly glyphs: readonly { readonly advance: number; readonly glyph: QuadraticGlyph }[];
    }
  | { readonly isTrueType: false; readonly charstrings: readonly Uint8Array[] };

/** @throws Error when the program is not one of ours */
function readTrueType(font: Buffer): ReadGlyphs & { readonly isTrueType: true; readonly unitsPerEm: number } {
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
function readCff(font: Buffer): ReadGlyphs & { readonly isTrueType: false; readonly unitsPerEm: number } {
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
