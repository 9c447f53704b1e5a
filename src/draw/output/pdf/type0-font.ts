// Writes the objects of a Type 0 font for a finished subset: font program, descriptor, descendant CIDFont, ToUnicode.

import { bytesOfLatin1 } from '#base/runtime.ts';
import { cff } from './cff.ts';
import type { PdfDocument } from './document.ts';
import type { EmbeddableGlyph, FontSource } from './font-source.ts';
import type { EncodedGlyph, FontSubset } from './font-subset.ts';
import type { Dictionary, PdfReference } from './object.ts';
import type { QuadraticGlyph } from './quadratic-glyph.ts';
import { utf16Hex } from './syntax.ts';
import { trueType } from './true-type.ts';

/** FontDescriptor flags (ISO 32000-1, table 123). */
const SYMBOLIC = 1 << 2;
const ITALIC = 1 << 6;
/**
 * Degrees. Only readers that substitute the font use the angle, and an embedded font is not substituted, so it need not
 * be exact.
 */
const ITALIC_ANGLE = -12;
/** Up to this many glyphs, either kind of font program may be the smaller one. */
const FEW_GLYPHS = 8;
/** Bytes of a TrueType program per byte of charstrings up to which it is the smaller one when deflated; measured. */
const WORTH_TABLES = 5 / 3;
const CHARACTER_COLLECTION: Dictionary = {
  Registry: bytesOfLatin1('Adobe'),
  Ordering: bytesOfLatin1('Identity'),
  Supplement: 0,
};

/** Left, bottom, right, top in font units. */
type BoundingBox = readonly [number, number, number, number];

export function writeType0Font(document: PdfDocument, { source, resource, glyphs }: FontSubset): void {
  const bbox = boundingBox(glyphs);
  const program = programOf(source, glyphs, bbox);
  writeFontObjects(document, resource.reference, {
    ...{ postScriptName: source.postScriptName, program },
    flags: SYMBOLIC | (source.italic ? ITALIC : 0),
    bbox: bbox.map((value) => (value * 1000) / source.unitsPerEm),
    italicAngle: source.italic ? ITALIC_ANGLE : 0,
    ascent: source.ascent * 1000,
    descent: -source.descent * 1000,
    capHeight: source.capHeight * 1000,
    widths: glyphs.map((glyph) => glyph.width),
    texts: glyphs.map(({ text }) => utf16Hex(text)),
  });
}

/** What the objects of a font say; lengths in thousandths of the font size. */
export interface Type0Font {
  /** Without the subset tag. */
  readonly postScriptName: string;
  readonly program: FontProgram;
  readonly flags: number;
  readonly bbox: readonly number[];
  readonly italicAngle: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  /** By code. */
  readonly widths: readonly number[];
  /** By code, UTF-16BE in hexadecimal; that of `.notdef` is empty. */
  readonly texts: readonly string[];
}

interface Writer {
  reserve(): PdfReference;
  write(reference: PdfReference, data: Dictionary, stream?: Uint8Array | string): void;
}

/** @param reference of the font, which is reserved */
export function writeFontObjects(writer: Writer, reference: PdfReference, font: Type0Font): void {
  const { program } = font;
  const object = (data: Dictionary, stream?: Uint8Array | string) => {
    const made = writer.reserve();
    writer.write(made, data, stream);
    return made;
  };
  const name = `${subsetTag(program.bytes)}+${font.postScriptName}`;
  const descriptor = object({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: font.flags,
    FontBBox: font.bbox,
    ItalicAngle: font.italicAngle,
    Ascent: font.ascent,
    Descent: font.descent,
    CapHeight: font.capHeight,
    StemV: 0,
    ...(program.isTrueType
      ? { FontFile2: object({ Length1: program.bytes.length }, program.bytes) }
      : { FontFile3: object({ Subtype: 'CIDFontType0C' }, program.bytes) }),
  });
  const descendant = object({
    Type: 'Font',
    ...(program.isTrueType ? { Subtype: 'CIDFontType2', CIDToGIDMap: 'Identity' } : { Subtype: 'CIDFontType0' }),
    BaseFont: name,
    CIDSystemInfo: CHARACTER_COLLECTION,
    FontDescriptor: descriptor,
    DW: 0,
    W: [0, font.widths],
  });
  writer.write(reference, {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: object({}, toUnicode(font.texts)),
  });
}

export interface FontProgram {
  readonly isTrueType: boolean;
  readonly bytes: Uint8Array;
}

/** Longest program that is kept, bytes. */
const LONGEST_KEPT = 64 * 1024;
/** The last program of each face: most faces of a template show the same letters in all of its files. */
const LATEST = new WeakMap<
  FontSource,
  { readonly shapes: readonly EmbeddableGlyph[]; readonly program: FontProgram }
>();

function programOf(source: FontSource, glyphs: readonly EncodedGlyph[], bbox: BoundingBox): FontProgram {
  const latest = LATEST.get(source);
  // The first is `.notdef`, which is made anew for each subset.
  if (
    latest?.shapes.length === glyphs.length &&
    glyphs.every(({ shape }, i) => i === 0 || shape === latest.shapes[i])
  ) {
    return latest.program;
  }
  const program = smallestProgram(source, glyphs, bbox);
  if (program.bytes.length <= LONGEST_KEPT) LATEST.set(source, { shapes: glyphs.map(({ shape }) => shape), program });
  return program;
}

/**
 * Chooses TrueType or CFF. Quadratic curves take fewer numbers than the cubics of CFF: over all fixtures and samples,
 * deflated TrueType programs were a quarter smaller than CFF of the same glyphs (241 KB and 318 KB). But they have 330
 * bytes of tables, so for two or three letters CFF may be smaller.
 */
function smallestProgram(source: FontSource, glyphs: readonly EncodedGlyph[], bbox: BoundingBox): FontProgram {
  const { unitsPerEm } = source;
  const asTrueType = (): FontProgram | null => {
    const quadratic: { readonly advance: number; readonly glyph: QuadraticGlyph }[] = [];
    for (const { shape } of glyphs) {
      const glyph = shape.quadratic;
      if (!glyph) return null;
      quadratic.push({ advance: shape.advance, glyph });
    }
    return { isTrueType: true, bytes: trueType({ unitsPerEm, bbox, glyphs: quadratic }) };
  };
  const program = asTrueType();
  if (program && glyphs.length > FEW_GLYPHS) return program;
  const charstrings = glyphs.map(({ shape }) => shape.charstring);
  const length = charstrings.reduce((sum, bytes) => sum + bytes.length, 0);
  if (program && program.bytes.length < WORTH_TABLES * length) return program;
  return { isTrueType: false, bytes: cff({ name: source.postScriptName, unitsPerEm, bbox, charstrings }) };
}

function boundingBox(glyphs: readonly EncodedGlyph[]): BoundingBox {
  let box: BoundingBox | null = null;
  for (const { shape } of glyphs) {
    const { extents } = shape;
    if (!extents) continue;
    const [left, bottom, right, top] = extents;
    box = box
      ? [Math.min(box[0], left), Math.min(box[1], bottom), Math.max(box[2], right), Math.max(box[3], top)]
      : [left, bottom, right, top];
  }
  return box ?? [0, 0, 0, 0];
}

const TAGS = new WeakMap<Uint8Array, string>();

/** Six capitals that differ between subsets (9.6.4) but not between runs: FNV-1a of the program in base 26. */
function subsetTag(program: Uint8Array): string {
  const known = TAGS.get(program);
  if (known !== undefined) return known;
  let sum = 0x811c9dc5;
  for (let i = 0; i < program.length; i++) sum = Math.imul(sum ^ (program[i] as number), 0x01000193);
  let rest = sum >>> 0;
  let tag = '';
  for (let i = 0; i < 6; i++) {
    tag += String.fromCharCode(65 + (rest % 26));
    rest = Math.floor(rest / 26);
  }
  TAGS.set(program, tag);
  return tag;
}

/** Codes in one range of a CMap differ only in their last byte. */
const RANGE = 256;

const hexCode = (code: number) => code.toString(16).padStart(4, '0');

/** The CMap from codes to text (9.10.3). */
function toUnicode(texts: readonly string[]): string {
  const ranges: string[] = [];
  for (let first = 0; first < texts.length; first += RANGE) {
    // .notdef has no text.
    const from = Math.max(1, first);
    const range = texts.slice(from, first + RANGE);
    if (range.length === 0) continue;
    const codes = `<${hexCode(from)}> <${hexCode(from + range.length - 1)}>`;
    ranges.push(`${codes} [${range.map((text) => `<${text}>`).join('')}]`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${sections(ranges)}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

/** A section of a CMap holds at most 100 ranges. */
const SECTION = 100;

function sections(ranges: readonly string[]): string {
  const list: string[] = [];
  for (let at = 0; at < ranges.length; at += SECTION) {
    const section = ranges.slice(at, at + SECTION);
    list.push(`${section.length} beginbfrange\n${section.join('\n')}\nendbfrange`);
  }
  return list.join('\n');
}
