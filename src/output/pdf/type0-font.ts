// A finished subset in, the objects of its Type 0 font out: font program, descriptor, descendant CIDFont, ToUnicode.

import { createHash } from 'node:crypto';
import { cff } from './cff.ts';
import type { PdfDocument } from './document.ts';
import type { EncodedGlyph, FontSubset } from './font-subset.ts';
import { utf16Hex } from './syntax.ts';

/** FontDescriptor flags (ISO 32000-1, table 123). */
const SYMBOLIC = 1 << 2;
const ITALIC = 1 << 6;
/** Degrees; the true angle is used only by readers that substitute the font, and an embedded one is not substituted. */
const ITALIC_ANGLE = -12;
/** A CMap section holds at most 100 entries. */
const CMAP_SECTION = 100;

export function writeType0Font(document: PdfDocument, { source, reference, glyphs }: FontSubset): void {
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
    CIDSystemInfo: { Registry: latin('Adobe'), Ordering: latin('Identity'), Supplement: 0 },
    FontDescriptor: descriptor,
    DW: 0,
    W: [0, glyphs.map((glyph) => glyph.width)],
  });
  reference.data = {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: document.object({}, toUnicode(glyphs)),
  };
  reference.end();
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
  const digest = createHash('sha256').update(program).digest();
  return String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
}

/** The CMap from codes back to text (9.10.3). */
function toUnicode(glyphs: readonly EncodedGlyph[]): string {
  const entries: string[] = [];
  glyphs.forEach((glyph, code) => {
    if (glyph.text !== '') entries.push(`<${code.toString(16).padStart(4, '0')}> <${utf16Hex(glyph.text)}>`);
  });
  const sections: string[] = [];
  for (let at = 0; at < entries.length; at += CMAP_SECTION) {
    const section = entries.slice(at, at + CMAP_SECTION);
    sections.push(`${section.length} beginbfchar\n${section.join('\n')}\nendbfchar`);
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
${sections.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
