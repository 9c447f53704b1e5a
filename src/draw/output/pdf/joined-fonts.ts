// Joins the font subsets of several PDF files: each face once, with all glyphs that any of the files uses, and the codes
// that each file's text gets.
//
// Glyphs are compared by their outlines, widths and texts, so nothing but the files themselves says which fonts are the
// same.

import { cff } from './cff.ts';
import { MAX_CODES } from './font-subset.ts';
import type { Dictionary, PdfReference } from './object.ts';
import type { QuadraticGlyph } from './quadratic-glyph.ts';
import { readCff, readTrueType } from './read-font-program.ts';
import { contentOf, type FileObject, findReference, foreign, numberIn, type ReadPdf } from './read-pdf.ts';
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
  async add(file: ReadPdf, font: FileObject): Promise<JoinedFont> {
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

async function readFont({ objects }: ReadPdf, { text }: FileObject): Promise<ReadFont> {
  const at = (from: string, key: string): FileObject => {
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
