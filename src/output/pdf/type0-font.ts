// A finished subset in, the objects of its Type 0 font out: font program, descriptor, descendant CIDFont, ToUnicode.

import { fileDigest } from '../file-digest.ts';
import { cff } from './cff.ts';
import type { PdfDocument } from './document.ts';
import type { EncodedGlyph, FontSubset } from './font-subset.ts';
import type { Dictionary } from './object.ts';
import { utf16Hex } from './syntax.ts';

/** FontDescriptor flags (ISO 32000-1, table 123). */
const SYMBOLIC = 1 << 2;
const ITALIC = 1 << 6;
/** Degrees; the true angle is used only by readers that substitute the font, and an embedded one is not substituted. */
const ITALIC_ANGLE = -12;
const CHARACTER_COLLECTION: Dictionary = {
  Registry: Buffer.from('Adobe'),
  Ordering: Buffer.from('Identity'),
  Supplement: 0,
};

export function writeType0Font(document: PdfDocument, { source, resource, glyphs }: FontSubset): void {
  const bbox = boundingBox(glyphs);
  const program = cff({
    name: source.postScriptName,
    unitsPerEm: source.unitsPerEm,
    bbox,
    charstrings: glyphs.map((glyph) => glyph.charstring),
  });
  const name = `${subsetTag(program)}+${source.postScriptName}`;
  const descriptor = document.object({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: SYMBOLIC | (source.italic ? ITALIC : 0),
    FontBBox: bbox.map((value) => (value * 1000) / source.unitsPerEm),
    ItalicAngle: source.italic ? ITALIC_ANGLE : 0,
    Ascent: source.ascent * 1000,
    Descent: -source.descent * 1000,
    CapHeight: source.capHeight * 1000,
    StemV: 0,
    FontFile3: document.object({ Subtype: 'CIDFontType0C' }, program),
  });
  const descendant = document.object({
    Type: 'Font',
    Subtype: 'CIDFontType0',
    BaseFont: name,
    CIDSystemInfo: CHARACTER_COLLECTION,
    FontDescriptor: descriptor,
    DW: 0,
    W: [0, glyphs.map((glyph) => glyph.width)],
  });
  document.write(resource.reference, {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: document.object({}, toUnicode(glyphs)),
  });
}

function boundingBox(glyphs: readonly EncodedGlyph[]): [number, number, number, number] {
  let box: [number, number, number, number] | null = null;
  for (const { extents } of glyphs) {
    if (!extents) continue;
    const [left, bottom, right, top] = extents;
    box = box
      ? [Math.min(box[0], left), Math.min(box[1], bottom), Math.max(box[2], right), Math.max(box[3], top)]
      : [left, bottom, right, top];
  }
  return box ?? [0, 0, 0, 0];
}

/** Six capitals that differ between subsets (9.6.4) and not between runs. */
function subsetTag(program: Uint8Array): string {
  const digest = Buffer.from(fileDigest(program), 'base64');
  return String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
}

/** Codes of one range of a CMap differ in their last byte alone. */
const RANGE = 256;

/** The CMap from codes back to text (9.10.3). */
function toUnicode(glyphs: readonly EncodedGlyph[]): string {
  const ranges: string[] = [];
  for (let first = 0; first < glyphs.length; first += RANGE) {
    // .notdef means nothing.
    const range = glyphs.slice(Math.max(1, first), first + RANGE);
    const [from, to] = [range[0]?.code, range.at(-1)?.code];
    if (from !== undefined && to !== undefined) {
      ranges.push(`<${from}> <${to}> [${range.map(({ text }) => `<${utf16Hex(text)}>`).join('')}]`);
    }
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
