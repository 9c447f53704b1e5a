// Reads the facts that a catalogue needs from a font file: name, weight, style, axes, coverage and licence bits.
//
// Wraps opentype.js, which reads only these facts: HarfBuzz (core/text) shapes and draws.

import opentype from 'opentype.js';
import { AppError } from '#base/errors.ts';
import { Coverage } from '#core/fonts/coverage.ts';
import type { Axis } from '#core/fonts/match-face.ts';
import { withoutEnd } from '#core/without-end.ts';
import { readSfnt, type Sfnt, tagValue, viewOf, writeSfnt } from './sfnt.ts';

export interface FontInfo {
  /** The typographic family (name ID 16, else 1), in English where there is one; without the name of an instance. */
  readonly family: string;
  /** 1..1000; for a variable font, its default. */
  readonly weight: number;
  /** OS/2 usWidthClass: 1 ultra-condensed, 5 normal, 9 ultra-expanded. */
  readonly width: number;
  readonly style: 'normal' | 'italic';
  /** By tag; empty for a static font. */
  readonly axes: Readonly<Record<string, Axis>>;
  readonly coverage: Coverage;
  /** Whether the licence bits (OS/2 fsType) allow embedding a subset in a document. */
  readonly embeddable: boolean;
  readonly glyphCount: number;
}

/**
 * Reads a TTF or OTF.
 *
 * @throws AppError `invalid_request` with a sentence about the file
 */
export function readFontInfo(bytes: Uint8Array): FontInfo {
  const font = readSfnt(bytes);
  if (!hasOutlines(font))
    throw new AppError('invalid_request', 'The font has no outlines (bitmap fonts do not scale).');
  const maxp = font.tables.get('maxp');
  const glyphCount = maxp && maxp.length >= 6 ? viewOf(maxp).getUint16(4) : 0;
  if (glyphCount === 0) throw new AppError('invalid_request', 'The font has no glyphs.');

  const facts = readFacts(excerpt(font));
  return {
    family: familyName(facts),
    weight: weightClass(facts.os2.usWeightClass, findName(facts.names, ['preferredSubfamily', 'fontSubfamily']) ?? ''),
    width: Math.min(9, Math.max(1, facts.os2.usWidthClass)),
    style: (facts.os2.fsSelection & (ITALIC | OBLIQUE)) !== 0 ? 'italic' : 'normal',
    axes: Object.fromEntries(
      facts.axes.map(({ tag, minValue, defaultValue, maxValue }) => [
        tag,
        { min: minValue, initial: defaultValue, max: maxValue },
      ]),
    ),
    coverage: Coverage.of(facts.codePoints),
    embeddable: (facts.os2.fsType & (NO_SUBSETTING | BITMAP_ONLY)) === 0 && (facts.os2.fsType & 0xf) !== RESTRICTED,
    glyphCount,
  };
}

/** OS/2 fsSelection. */
const ITALIC = 1 << 0;
const OBLIQUE = 1 << 9;
/** OS/2 fsType: the low four bits are one of four levels, the others are independent flags. */
const RESTRICTED = 2;
const NO_SUBSETTING = 1 << 8;
const BITMAP_ONLY = 1 << 9;

/** The names of opentype.js 2; its published types are those of version 1. */
interface Facts {
  readonly names: Names;
  readonly os2: { usWeightClass: number; usWidthClass: number; fsSelection: number; fsType: number };
  readonly axes: readonly { tag: string; minValue: number; defaultValue: number; maxValue: number }[];
  /** The default one alone, if it has a name. */
  readonly instances: readonly { readonly name?: Readonly<Record<string, string>> }[];
  readonly codePoints: readonly number[];
}
/** Platform → name → language → text. */
type Names = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

function readFacts(sfnt: Uint8Array): Facts {
  try {
    const { tables } = opentype.parse(sfnt.buffer, { lowMemory: true }) as unknown as {
      tables: {
        name: Names;
        os2: Facts['os2'];
        fvar?: Pick<Facts, 'axes' | 'instances'>;
        cmap: { glyphIndexMap: object };
      };
    };
    return {
      names: tables.name,
      os2: tables.os2,
      axes: tables.fvar?.axes ?? [],
      instances: tables.fvar?.instances ?? [],
      codePoints: Object.entries(tables.cmap.glyphIndexMap).flatMap(([codePoint, glyph]) =>
        glyph === 0 ? [] : [Number(codePoint)],
      ),
    };
  } catch (error) {
    throw new AppError('invalid_request', 'The font’s tables are damaged.', { cause: error });
  }
}

/**
 * The name that all of a font's instances share: without a typographic family, a variable font's name ID 1 may be that
 * of its default instance, such as "Mona Sans ExtraLight", whose weights are from 200 to 900.
 */
function familyName({ names, instances }: Facts): string {
  const typographic = findName(names, ['preferredFamily']);
  const family = typographic ?? findName(names, ['fontFamily']);
  if (family === null) throw new AppError('invalid_request', 'The font does not say its family name.');
  if (typographic !== null) return family;
  const words = (instances[0]?.name?.en ?? '').replace(/(Regular|Italic|Oblique)$/i, '').replace(/[^A-Za-z]/g, '');
  return words === '' ? family : withoutWords(family, words.toLowerCase());
}

/** The family without these letters at its end, which may be one word or several: "ExtraLight", "Extra Light". */
function withoutWords(family: string, letters: string): string {
  const isBetween = (at: number) => /^[ -]$/.test(family[at - 1] ?? '');
  let at = family.length;
  for (const letter of [...letters].reverse()) {
    if (at < family.length && isBetween(at)) at -= 1;
    if (family[at - 1]?.toLowerCase() !== letter) return family;
    at -= 1;
  }
  const rest = withoutEnd(family.slice(0, at), /[ -]/);
  return rest === '' || !isBetween(at) ? family : rest;
}

/** The first of these names that the font has, in English where possible. */
function findName(names: Names, keys: readonly string[]): string | null {
  for (const key of keys) {
    for (const platform of ['windows', 'unicode', 'macintosh']) {
      const texts = names[platform]?.[key];
      const text = (texts?.en ?? Object.values(texts ?? {})[0])?.trim();
      if (text) return text;
    }
  }
  return null;
}

/** Converts OS/2 usWeightClass to CSS weights. Fonts from before OpenType use 1 to 9. */
function weightClass(value: number, subfamily: string): number {
  // Static Thin and ExtraLight fonts often have 250 or 275, because GDI emboldened everything below.
  if (value === 250 || value === 275) {
    if (/thin|hairline/i.test(subfamily)) return 100;
    if (/(extra|ultra) ?light/i.test(subfamily)) return 200;
  }
  return Math.min(1000, Math.max(1, value < 10 ? value * 100 : value));
}

// Reduces a font file to what opentype.js may read: the tables with the facts of a catalogue, and of those no more than
// can be read in bounded time.
//
// opentype.js walks every table that it meets, trusts each count in it and fails on tables newer than itself (COLR v1,
// some GSUB lookups). HarfBuzz handles glyphs, layout and colour, so those tables are left out.

const MAX_AXES = 64;
/** Most bytes of all names in all languages; licences are the long ones. */
const MAX_NAMES = 1024 * 1024;
/** Most named instances that are looked at for the default one; real fonts have some hundred at most. */
const MAX_INSTANCES = 1000;
/** Most code points; the largest fonts map some 65,000, and a group of 12 bytes could map all of Unicode. */
const MAX_CODE_POINTS = 200_000;
const LAST_CODE_POINT = 0x10ffff;

/** @throws AppError `invalid_request` when a table is missing, damaged or larger than in any real font */
function excerpt(font: Sfnt): Uint8Array {
  const tables = new Map<string, Uint8Array>();
  try {
    for (const tag of ['head', 'OS/2']) tables.set(tag, requireTable(font, tag));
    tables.set('name', boundedNames(requireTable(font, 'name')));
    tables.set('cmap', unicodeCmap(requireTable(font, 'cmap')));
    const fvar = font.tables.get('fvar');
    if (fvar) tables.set('fvar', axesAndDefault(fvar));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_request', 'The font’s tables are damaged.', { cause: error });
  }
  // opentype.js requires outline tables: these are empty.
  tables.set('maxp', Uint8Array.of(0, 0, 0x50, 0, 0, 0));
  tables.set('glyf', new Uint8Array(4));
  tables.set('loca', new Uint8Array(4));
  tables.set('hmtx', new Uint8Array(4));
  return writeSfnt({ version: 0x00010000, tables });
}

function requireTable(font: Sfnt, tag: string): Uint8Array {
  const table = font.tables.get(tag);
  if (!table) throw new AppError('invalid_request', `The font has no "${tag}" table.`);
  return table;
}

/** Checks the total size of names: many records may refer to one long string, and each would be decoded again. */
function boundedNames(name: Uint8Array): Uint8Array {
  const view = viewOf(name);
  let total = 0;
  for (let i = 0; i < view.getUint16(2); i++) total += view.getUint16(6 + 12 * i + 8);
  if (total > MAX_NAMES) throw new AppError('invalid_request', 'The font’s "name" table is too large.');
  return name;
}

/** Drops named instances, except the one at the defaults of all axes, which tells the name of the default. */
function axesAndDefault(fvar: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(fvar);
  const view = viewOf(copy);
  const [axes, axisCount, axisSize] = [view.getUint16(4), view.getUint16(8), view.getUint16(10)];
  if (axisCount > MAX_AXES) throw new AppError('invalid_request', `The font has more than ${MAX_AXES} axes.`);
  const [count, size] = [view.getUint16(12), view.getUint16(14)];
  const instances = axes + axisCount * axisSize;
  view.setUint16(12, 0);
  for (let i = 0, at = instances; i < Math.min(count, MAX_INSTANCES) && at + size <= copy.length; i++, at += size) {
    const isDefault = (axis: number) => view.getInt32(at + 4 + 4 * axis) === view.getInt32(axes + axis * axisSize + 8);
    if (size < 4 + 4 * axisCount || !Array.from({ length: axisCount }, (_, axis) => axis).every(isDefault)) continue;
    copy.copyWithin(instances, at, at + size);
    view.setUint16(12, 1);
    break;
  }
  return copy;
}

/** Unicode subtables as (platform, encoding), the most complete first; (3, 0) is that of symbol fonts. */
const UNICODE_ENCODINGS = [
  [3, 10],
  [0, 6],
  [0, 4],
  [3, 1],
  [0, 3],
  [0, 2],
  [0, 1],
  [0, 0],
  [3, 0],
] as const;

/** A `cmap` with only the one subtable that maps Unicode, whose ranges are checked to be disjoint. */
function unicodeCmap(cmap: Uint8Array): Uint8Array {
  const view = viewOf(cmap);
  const subtables = new Map<string, number>();
  for (let i = 0; i < view.getUint16(2); i++) {
    const record = 4 + 8 * i;
    subtables.set(`${view.getUint16(record)} ${view.getUint16(record + 2)}`, view.getUint32(record + 4));
  }
  for (const [platform, encoding] of UNICODE_ENCODINGS) {
    const offset = subtables.get(`${platform} ${encoding}`);
    if (offset === undefined) continue;
    const subtable = cmap.subarray(offset);
    if (!isReadable(subtable)) continue;
    const table = new Uint8Array(12 + subtable.length);
    const header = viewOf(table);
    header.setUint16(2, 1);
    header.setUint16(4, platform);
    header.setUint16(6, encoding);
    header.setUint32(8, 12);
    table.set(subtable, 12);
    return table;
  }
  throw new AppError('invalid_request', 'The font maps no Unicode characters to glyphs.');
}

/**
 * Whether the subtable has a format that opentype.js reads, with ascending ranges, so that iterating over it
 * terminates.
 *
 * @throws AppError `invalid_request` when the ranges are so long that iterating over them would take a second
 */
function isReadable(subtable: Uint8Array): boolean {
  const view = viewOf(subtable);
  const format = view.getUint16(0);
  let last = -1;
  let mapped = 0;
  const follows = (start: number, end: number) => {
    const ok = start > last && end >= start && end <= LAST_CODE_POINT;
    last = end;
    mapped += end - start + 1;
    return ok;
  };
  if (format === 4) {
    const segments = view.getUint16(6) >> 1;
    for (let i = 0; i < segments; i++) {
      if (!follows(view.getUint16(16 + 2 * segments + 2 * i), view.getUint16(14 + 2 * i))) return false;
    }
    return true;
  }
  if (format === 12 || format === 13) {
    for (let i = 0; i < view.getUint32(12); i++) {
      const group = 16 + 12 * i;
      if (!follows(view.getUint32(group), view.getUint32(group + 4))) return false;
    }
    if (mapped > MAX_CODE_POINTS) {
      const most = MAX_CODE_POINTS.toLocaleString('en');
      throw new AppError('invalid_request', `The font maps more than ${most} code points to glyphs.`);
    }
    return true;
  }
  return false;
}

/** Whether glyphs have outlines of the kind that the file's version states. */
function hasOutlines({ version, tables }: Sfnt): boolean {
  if (version === tagValue('OTTO')) return tables.has('CFF ') || tables.has('CFF2');
  return tables.has('glyf') && tables.has('loca');
}
