// Reads the facts that a catalogue needs from a font file: name, weight, style, axes, coverage and licence bits.
//
// Wraps opentype.js, which reads only these facts: HarfBuzz (core/text) shapes and draws.

import opentype from 'opentype.js';
import { AppError } from '#base/errors.ts';
import { Coverage } from '#core/fonts/coverage.ts';
import type { Axis } from '#core/fonts/match-face.ts';
import { withoutEnd } from '#core/without-end.ts';
import { excerpt, hasOutlines } from './excerpt.ts';
import { readSfnt, viewOf } from './sfnt.ts';

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
