// Shapes runs of one level, script and style with HarfBuzz, each stretch with the face that draws it.
//
// Whole runs are shaped once, in font units; a line that starts or ends inside a ligature shapes its piece anew.

import type { Size } from '../geometry.ts';
import type { CharacterStyle } from '../resolve/scene.ts';
import type { FaceRun, FontFallback } from './font-fallback.ts';
import type { MatchedFace } from './font-set.ts';
import type { TextRun } from './itemize.ts';
import type { ShapedGlyph, ShapeOptions, ShapingDirection } from './shaped-glyph.ts';
import { localeOf } from './text-transform.ts';
import { needsVerticalForm } from './vertical-orientation.ts';

/** Glyphs of one face for a stretch of text; positions are font units, before spacing. */
export interface ShapedRun {
  /** UTF-16 offsets into the text that was shaped. */
  readonly start: number;
  readonly end: number;
  readonly level: number;
  readonly script: string;
  /** True of letters that stand upright in a vertical line. */
  readonly upright: boolean;
  readonly match: MatchedFace;
  readonly style: CharacterStyle;
  /** Whether its letters are small capitals that its face lacks: capitals of a smaller size. */
  readonly isSmall?: true;
  /** In drawing order; `cluster` counts from `start`, ascending in an ltr run and descending in an rtl one. */
  readonly glyphs: readonly ShapedGlyph[];
}

/** Scripts whose letters join: CSS Text 3 (cursive scripts) keeps letter spacing out of their words. */
const CURSIVE_SCRIPTS: readonly string[] = ['Arab', 'Rohg', 'Mand', 'Mong', 'Nkoo', 'Phag', 'Syrc'];
/** CSS Text 3, word-separator characters. */
const WORD_SEPARATOR = /[ \u00a0\u1361]/;
/** Characters that draw nothing and have no spacing after them. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]/u;
/** How many characters around a run can change how it joins. */
const CONTEXT_LENGTH = 5;
/** Scripts in which the text around a run matters: those with Joining_Type in Unicode, HarfBuzz's `has_arabic_joining`. */
const JOINING_SCRIPTS: ReadonlySet<string> = new Set(
  'Adlm Arab Chrs Mand Mani Mong Nkoo Ougr Phag Phlp Rohg Sogd Syrc'.split(' '),
);

/**
 * Chooses faces for a run and shapes it.
 *
 * @param isBoundary nonzero at each UTF-16 offset where a grapheme cluster starts
 * @param allUpright whether characters without a form for vertical lines are upright, too
 */
export function shapeRun(
  text: string,
  run: TextRun,
  style: CharacterStyle,
  fallback: FontFallback,
  isBoundary: Uint8Array,
  allUpright: boolean,
): ShapedRun[] {
  const faceRuns = fallback.choose(text, run.start, run.end, isBoundary, run.emoji);
  const pieces =
    run.upright && !allUpright
      ? faceRuns.flatMap((piece) => byOrientation(text, piece, run.script, isBoundary))
      : faceRuns.map((piece) => ({ ...piece, upright: run.upright }));
  return pieces
    .flatMap((piece) => byCapitals(text, piece, style, isBoundary))
    .map((piece) => {
      const { level, script } = run;
      const whole = { ...piece, level, script, glyphs: [] };
      return { ...whole, glyphs: shapePiece(text, whole, piece.start, piece.end).glyphs };
    });
}

/** Chromium's size of a small capital beside that of its letters. */
const SMALL = 0.7;
/** The features that draw small capitals, and those that draw capitals as such, too (CSS Fonts 4, 6.6). */
const CAPITALS = { small: ['smcp', 'pcap', 'unic'], all: ['c2sc', 'c2pc'] } as const;

type Oriented = FaceRun & { readonly upright: boolean };

/** Whether a style asks for small capitals of either kind. */
export const asksForCapitals = ({ features }: CharacterStyle): boolean =>
  CAPITALS.small.some((tag) => features[tag] !== undefined);

/** Divides text of a face without small capitals into letters that are to be such, and others. */
function byCapitals(
  text: string,
  piece: Oriented,
  style: CharacterStyle,
  isBoundary: Uint8Array,
): readonly (Oriented & Pick<ShapedRun, 'style' | 'isSmall'>)[] {
  const asked = asksForCapitals(style) ? CAPITALS.small.find((tag) => style.features[tag]) : undefined;
  if (!asked || piece.match.face.hasFeature(asked)) return [{ ...piece, style }];
  const { smcp, pcap, unic, c2sc, c2pc, ...features } = style.features;
  // Petite capitals that are lacking are small ones.
  if (asked === 'pcap' && piece.match.face.hasFeature('smcp'))
    return [{ ...piece, style: { ...style, features: { ...features, smcp: 1, ...(c2pc && { c2sc: 1 }) } } }];
  const plain = { ...style, features };
  const small = { ...plain, fontSize: style.fontSize * SMALL };
  const isAll = CAPITALS.all.some((tag) => style.features[tag]);
  const found: { start: number; end: number; isSmall: boolean }[] = [];
  for (let from = piece.start, to = from; from < piece.end; from = to) {
    do to++;
    while (to < piece.end && !isBoundary[to]);
    const letter = text.slice(from, to);
    const isSmall = isAll || (asked === 'unic' ? letter.toLowerCase() : capitals(letter, style)) !== letter;
    const last = found.at(-1);
    if (last?.isSmall === isSmall) last.end = to;
    else found.push({ start: from, end: to, isSmall });
  }
  return found.map(({ start, end, isSmall }) =>
    isSmall ? { ...piece, start, end, style: small, isSmall: true as const } : { ...piece, start, end, style: plain },
  );
}

/** As many units as it has: what becomes longer stays as it is. */
const capitals = (text: string, { lang }: CharacterStyle): string =>
  Array.from(text, (letter) => {
    const upper = letter.toLocaleUpperCase(localeOf(lang));
    return upper.length === letter.length ? upper : letter;
  }).join('');

/** Splits upright text of one face: a character that needs a vertical form is rotated if the face has none. */
function byOrientation(
  text: string,
  { start, end, match }: FaceRun,
  script: string,
  isBoundary: Uint8Array,
): readonly (FaceRun & { readonly upright: boolean })[] {
  const pieces: { start: number; end: number; match: MatchedFace; upright: boolean }[] = [];
  for (let from = start, to = start; from < end; from = to) {
    do to++;
    while (to < end && !isBoundary[to]);
    const codePoint = text.codePointAt(from) ?? 0;
    const upright = !needsVerticalForm(codePoint) || match.face.hasVerticalForm(codePoint, script);
    const last = pieces.at(-1);
    if (last?.upright === upright) last.end = to;
    else pieces.push({ start: from, end: to, match, upright });
  }
  return pieces;
}

/** A run of one object replacement character for an inline box: a space glyph with the advance of the box's width. */
export function boxRun(run: TextRun, { width }: Size, style: CharacterStyle, match: MatchedFace): ShapedRun {
  const { start, end, level, script } = run;
  const id = match.face.glyph(0x20);
  const xAdvance = (width * match.face.unitsPerEm) / style.fontSize;
  const glyph = { id, cluster: 0, xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0, unsafeToBreak: false };
  return { start, end, level, script, upright: false, match, style, glyphs: [glyph] };
}

/** A part of a run, shaped on its own; the neighbouring text still decides how letters join. */
export function shapePiece(text: string, run: ShapedRun, start: number, end: number): ShapedRun {
  const own = text.slice(start, end);
  const shown = run.isSmall ? capitals(own, run.style) : own;
  return { ...run, start, end, glyphs: run.match.face.shape(shown, optionsFor(text, run, start, end)) };
}

type Shaping = Pick<ShapedRun, 'level' | 'script' | 'upright' | 'style'>;

function optionsFor(text: string, run: Shaping, start: number, end: number): ShapeOptions {
  const { script, style } = run;
  const isJoining = JOINING_SCRIPTS.has(script);
  return {
    direction: directionOf(run),
    script,
    language: style.lang,
    features: featuresOf(style),
    before: isJoining ? textBefore(text, start) : '',
    after: isJoining ? textAfter(text, end) : '',
  };
}

/** The letters that end at `start`, with which a letter there may join. */
function textBefore(text: string, start: number): string {
  let from = start;
  if (mayJoin(text, start)) while (from > start - CONTEXT_LENGTH && mayJoin(text, from - 1)) from--;
  return text.slice(from, start);
}

/** The letters that begin at `end`, with which a letter before it may join. */
function textAfter(text: string, end: number): string {
  let to = end;
  if (mayJoin(text, end - 1)) while (to < end + CONTEXT_LENGTH && mayJoin(text, to)) to++;
  return text.slice(end, to);
}

/** False of white space, ASCII, controls and line separators, and beyond the text. */
function mayJoin(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return unit > 0xa0 && unit !== 0x2028 && unit !== 0x2029;
}

/** Odd levels run in the reverse direction. */
export function directionOf({ level, upright }: Pick<ShapedRun, 'level' | 'upright'>): ShapingDirection {
  if (level % 2 === 1) return upright ? 'btt' : 'rtl';
  return upright ? 'ttb' : 'ltr';
}

/** The advance of a glyph along the line at its style's size, without spacing, px. */
export function advanceOf(run: ShapedRun, glyph: ShapedGlyph): number {
  return ((run.upright ? -glyph.yAdvance : glyph.xAdvance) * run.style.fontSize) / run.match.face.unitsPerEm;
}

/** Letter and word spacing after the cluster that starts at `cluster`, px at its style's size. */
export function spacingAfter(text: string, { script, style }: ShapedRun, cluster: number): number {
  if (style.letterSpacing === 0 && style.wordSpacing === 0) return 0;
  const character = text.charAt(cluster);
  if (INVISIBLE.test(character)) return 0;
  if (WORD_SEPARATOR.test(character)) return style.letterSpacing + style.wordSpacing;
  return CURSIVE_SCRIPTS.includes(script) ? 0 : style.letterSpacing;
}

/** Width of a run with its spacing, px at its style's size. */
export function runWidth(text: string, run: ShapedRun): number {
  let width = 0;
  let cluster = -1;
  for (const glyph of run.glyphs) {
    width += advanceOf(run, glyph);
    if (glyph.cluster !== cluster) width += spacingAfter(text, run, run.start + glyph.cluster);
    cluster = glyph.cluster;
  }
  return width;
}

/** Spaced letters do not form ligatures (CSS Text 3), unless the style sets the feature itself. */
function featuresOf(style: CharacterStyle): Readonly<Record<string, number>> {
  return style.letterSpacing === 0 ? style.features : { liga: 0, clig: 0, ...style.features };
}
