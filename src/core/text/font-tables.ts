// Reads the sfnt tables that text layout needs itself: head, maxp, hhea, OS/2, post, kern, vhea, vmtx, VORG.
//
// Files are untrusted: every offset is checked against the file, and a broken file is refused with the reason. HarfBuzz
// reads the same file for everything else; it treats a broken one as an empty face without an error.

import { KernTable } from './kern-table.ts';
import { readVerticalMetrics, type VerticalMetrics } from './vertical-metrics.ts';

/** Metrics as the file states them, in font units, y up; `null` where a table or a version lacks the field. */
export interface FontTables {
  readonly unitsPerEm: number;
  readonly glyphCount: number;
  /** Positive above the baseline, so a descender is negative (OpenType's own sign). */
  readonly ascender: number;
  readonly descender: number;
  readonly lineGap: number;
  readonly xHeight: number | null;
  readonly capHeight: number | null;
  /** Top of the underline (`post`). */
  readonly underlinePosition: number | null;
  readonly underlineThickness: number | null;
  /** Top of the strikeout (`OS/2`). */
  readonly strikeoutPosition: number | null;
  readonly strikeoutThickness: number | null;
  /** Em height of superscripts and subscripts, and the distance of their baselines above and below (`OS/2`). */
  readonly superscriptSize: number | null;
  readonly superscriptOffset: number | null;
  readonly subscriptSize: number | null;
  readonly subscriptOffset: number | null;
  /** The legacy kerning of glyphs in horizontal lines. */
  readonly kern: KernTable | null;
  /** Metrics of glyphs in vertical lines. */
  readonly vertical: VerticalMetrics | null;
}

/** No real font has more tables; a file that claims more is refused. */
const MAX_TABLES = 128;
const SFNT_VERSIONS: readonly number[] = [0x00010000, tag('OTTO'), tag('true')];
const USE_TYPO_METRICS = 1 << 7;

/**
 * Reads the metrics of a font.
 *
 * @throws Error with a public sentence when the bytes are not one TrueType or OpenType font with glyphs.
 */
export function readFontTables(bytes: Uint8Array): FontTables {
  const table = fontTable(bytes);

  const head = table('head');
  const maxp = table('maxp');
  if (!head || head.byteLength < 54 || !maxp || maxp.byteLength < 6) throw new Error('The font has no head or maxp.');
  if (!table('cmap')) throw new Error('The font maps no characters to glyphs (it has no cmap).');
  const unitsPerEm = head.getUint16(18);
  const glyphCount = maxp.getUint16(4);
  if (unitsPerEm < 16 || unitsPerEm > 16_384)
    throw new Error(`The font has ${unitsPerEm} units per em, not 16..16384.`);
  if (glyphCount === 0) throw new Error('The font has no glyphs.');

  const os2 = atLeast(table('OS/2'), 78);
  const os2Version = os2?.getUint16(0) ?? 0;
  const post = atLeast(table('post'), 12);
  return {
    unitsPerEm,
    glyphCount,
    ...extents(atLeast(table('hhea'), 36), os2, unitsPerEm),
    xHeight: os2Version >= 2 && os2 && os2.byteLength >= 90 ? nonZero(os2.getInt16(86)) : null,
    capHeight: os2Version >= 2 && os2 && os2.byteLength >= 90 ? nonZero(os2.getInt16(88)) : null,
    underlinePosition: post ? post.getInt16(8) : null,
    underlineThickness: post ? nonZero(post.getInt16(10)) : null,
    strikeoutThickness: os2 ? nonZero(os2.getInt16(26)) : null,
    strikeoutPosition: os2 ? nonZero(os2.getInt16(28)) : null,
    subscriptSize: os2 ? nonZero(os2.getInt16(12)) : null,
    subscriptOffset: os2 ? nonZero(os2.getInt16(16)) : null,
    superscriptSize: os2 ? nonZero(os2.getInt16(20)) : null,
    superscriptOffset: os2 ? nonZero(os2.getInt16(24)) : null,
    kern: KernTable.read(table('kern')),
    vertical: readVerticalMetrics(table),
  };
}

/**
 * Ascent and descent as FreeType and Skia, and so Chromium on Linux, choose them: OS/2's typographic ones where the
 * font asks for them (USE_TYPO_METRICS), else hhea's, else, where those are zero, the typographic or the Windows ones.
 */
function extents(hhea: DataView | null, os2: DataView | null, unitsPerEm: number) {
  const typo = os2 && { ascender: os2.getInt16(68), descender: os2.getInt16(70), lineGap: os2.getInt16(72) };
  if (os2 && typo && os2.getUint16(62) & USE_TYPO_METRICS) return typo;
  const stated = hhea && { ascender: hhea.getInt16(4), descender: hhea.getInt16(6), lineGap: hhea.getInt16(8) };
  if (stated && (stated.ascender !== 0 || stated.descender !== 0)) return stated;
  if (typo && (typo.ascender !== 0 || typo.descender !== 0)) return typo;
  if (os2) return { ascender: os2.getUint16(74), descender: -os2.getUint16(76), lineGap: 0 };
  return { ascender: unitsPerEm, descender: 0, lineGap: 0 };
}

/** The tables by their names. @throws Error as `readFontTables` */
export function fontTable(bytes: Uint8Array): (name: string) => DataView | null {
  const tables = tableDirectory(bytes);
  return (name) => tables.get(tag(name)) ?? null;
}

function tableDirectory(bytes: Uint8Array): ReadonlyMap<number, DataView> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 12) throw new Error('The font file is too short to be one.');
  const version = view.getUint32(0);
  if (version === tag('wOFF') || version === tag('wOF2'))
    throw new Error('The font file is WOFF: decompress it first.');
  if (version === tag('ttcf')) throw new Error('The font file is a collection: take one font out of it first.');
  if (!SFNT_VERSIONS.includes(version)) throw new Error('The font file is neither TrueType nor OpenType.');
  const count = view.getUint16(4);
  if (count > MAX_TABLES || 12 + 16 * count > view.byteLength) throw new Error('The font file has a broken directory.');

  const tables = new Map<number, DataView>();
  for (let i = 0; i < count; i++) {
    const record = 12 + 16 * i;
    const offset = view.getUint32(record + 8);
    const length = view.getUint32(record + 12);
    if (offset + length > view.byteLength) throw new Error('The font file is cut short.');
    tables.set(view.getUint32(record), new DataView(bytes.buffer, bytes.byteOffset + offset, length));
  }
  return tables;
}

function tag(name: string): number {
  return (
    ((name.charCodeAt(0) << 24) | (name.charCodeAt(1) << 16) | (name.charCodeAt(2) << 8) | name.charCodeAt(3)) >>> 0
  );
}

function atLeast(table: DataView | null, length: number): DataView | null {
  return table && table.byteLength >= length ? table : null;
}

/** A zero in these fields means that the font does not state a value. */
function nonZero(value: number): number | null {
  return value === 0 ? null : value;
}
