// Finds the embedding levels of a whole text, and the visual order of the runs of each line (UAX #9).
//
// Levels are per UTF-16 unit, like the offsets of all text steps; no surrogate pair is split. The controls that rule X9
// removes keep their place with the level of the character before, so they start no run. L3 and L4 are left to
// HarfBuzz, which places marks and mirrors brackets in right-to-left runs. Time is linear in the text.

import {
  applyExplicitLevels,
  type BidiUnits,
  followRemoved,
  isolatingRunSequences,
  matchIsolates,
  PARAGRAPH,
} from './bidi-explicit.ts';
import { resolveSequence } from './bidi-implicit.ts';
import { BIDI_CLASS, classSet } from './unicode-classes.ts';
import { BIDI_CLASS_OF, recordOf } from './unicode-data.ts';

/** Base direction of a paragraph; `auto` is that of its first strong character (P2, P3), `ltr` where it has none. */
export type Direction = 'ltr' | 'rtl' | 'auto';

/** A paragraph as rule P1 cuts it. */
export interface BidiParagraph {
  /** UTF-16 offsets; the paragraph separator, if there is one, is the paragraph's last character. */
  readonly start: number;
  readonly end: number;
  /** Paragraph embedding level: 0 left to right, 1 right to left. */
  readonly level: 0 | 1;
}

/** A text with its levels, the input of `itemize` and `reorderLine`. */
export interface BidiText {
  readonly text: string;
  /** Embedding level of each UTF-16 unit, 0..126; odd is right to left. L1 is applied except at line ends. */
  readonly levels: Uint8Array;
  /** In order, without gaps; at least one, also for empty text. */
  readonly paragraphs: readonly BidiParagraph[];
  /** True if all levels are known to be 0, those of paragraphs too. */
  readonly isLeftToRight: boolean;
}

/** A stretch of one level, UTF-16 offsets. */
export interface LevelRun {
  readonly start: number;
  readonly end: number;
  readonly level: number;
}

/** Splits a text into paragraphs and resolves the level of every unit (P1 to I2). */
export function analyzeBidi(text: string, direction: Direction): BidiText {
  const levels = new Uint8Array(text.length);
  if (direction !== 'rtl' && ONE_WAY.test(text))
    return { text, levels, paragraphs: [{ start: 0, end: text.length, level: 0 }], isLeftToRight: true };
  let units: BidiUnits | null = null;
  const paragraphs = paragraphEnds(text).map((end, index, ends): BidiParagraph => {
    const start = ends[index - 1] ?? 0;
    if (direction !== 'rtl' && !hasDirections(text, start, end)) return { start, end, level: 0 };
    units ??= bidiUnits(text, levels);
    return resolveParagraph(units, start, end, direction);
  });
  return { text, levels, paragraphs, isLeftToRight: units === null };
}

function resolveParagraph(units: BidiUnits, start: number, end: number, direction: Direction): BidiParagraph {
  const isolates = matchIsolates(units, start, end);
  const level = direction === 'auto' ? (isolates.firstStrong.get(PARAGRAPH) ?? 0) : direction === 'rtl' ? 1 : 0;
  const paragraph = { start, end, level } as const;
  applyExplicitLevels(units, paragraph, isolates);
  for (const sequence of isolatingRunSequences(units, paragraph, isolates)) resolveSequence(units, sequence);
  followRemoved(units, paragraph);
  resetSeparators(units, paragraph);
  return paragraph;
}

/**
 * The runs of the line `start`–`end` from left to right (L1, L2). The line lies inside one paragraph; white space at
 * its end takes the paragraph's level.
 */
export function reorderLine(bidi: BidiText, start: number, end: number): LevelRun[] {
  if (start >= end) return [];
  if (bidi.isLeftToRight) return [{ start, end, level: 0 }];
  const { level } = paragraphAt(bidi, start);
  const content = contentEnd(bidi.text, start, end);

  const runs: LevelRun[] = [];
  const add = (from: number, to: number, runLevel: number) => {
    const last = runs.at(-1);
    if (last?.level === runLevel) runs[runs.length - 1] = { start: last.start, end: to, level: runLevel };
    else runs.push({ start: from, end: to, level: runLevel });
  };
  for (let from = start; from < content; ) {
    let to = from + 1;
    while (to < content && bidi.levels[to] === bidi.levels[from]) to++;
    add(from, to, bidi.levels[from]!);
    from = to;
  }
  if (content < end) add(content, end, level);
  return runs.length === 1 ? runs : visualOrder(runs.map((run) => run.level)).map((index) => runs[index]!);
}

/**
 * The order from left to right of items with these levels on a line (L2): `result[0]` is the index of the leftmost. The
 * items may be anything in logical order: characters, glyph runs, inline images.
 */
export function visualOrder(levels: ArrayLike<number>): number[] {
  const order = Array.from({ length: levels.length }, (_, index) => index);
  let highest = 0;
  let lowestOdd = Number.POSITIVE_INFINITY;
  for (let i = 0; i < levels.length; i++) {
    const level = levels[i]!;
    if (level > highest) highest = level;
    if (level & 1 && level < lowestOdd) lowestOdd = level;
  }
  for (let level = highest; level >= lowestOdd; level--) {
    for (let from = 0; from < order.length; from++) {
      if (levels[order[from]!]! < level) continue;
      let to = from + 1;
      while (to < order.length && levels[order[to]!]! >= level) to++;
      for (let i = from, j = to - 1; i < j; i++, j--) [order[i], order[j]] = [order[j]!, order[i]!];
      from = to;
    }
  }
  return order;
}

/** The paragraph that the unit at this offset belongs to. */
function paragraphAt({ paragraphs }: BidiText, offset: number): BidiParagraph {
  let low = 0;
  let high = paragraphs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (paragraphs[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return paragraphs[low]!;
}

/** P1: where each paragraph ends, after its separator; a CR LF is one separator. */
function paragraphEnds(text: string): number[] {
  const ends: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x20 && unit !== 0x85 && unit !== 0x2029) continue;
    if (BIDI_CLASS_OF[recordOf(unit)] !== BIDI_CLASS.B) continue;
    if (unit === 0x0d && text.charCodeAt(i + 1) === 0x0a) i++;
    ends.push(i + 1);
  }
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

/** Text without paragraph separators and without characters from FIRST_DIRECTED on. */
const ONE_WAY = /^[ -\u0084\u0086-\u058f]*$/;

/** The first character that is, or may lead to, right to left: Hebrew. All before it are left to right or neutral. */
const FIRST_DIRECTED = 0x0590;

/** False if all levels must be 0: no right-to-left characters, Arabic numbers or directional controls. */
function hasDirections(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (text.charCodeAt(i) < FIRST_DIRECTED) continue;
    const codePoint = text.codePointAt(i)!;
    if ((1 << BIDI_CLASS_OF[recordOf(codePoint)]!) & DIRECTED) return true;
    if (codePoint > 0xffff) i++;
  }
  return false;
}

const { R, AL, AN, BN, B, S, WS, LRE, LRO, RLE, RLO, PDF, LRI, RLI, FSI, PDI } = BIDI_CLASS;
const DIRECTED = classSet(R, AL, AN, LRE, LRO, RLE, RLO, PDF, LRI, RLI, FSI, PDI);
const SEPARATOR = classSet(S, B);
/** The classes that L1 resets before a separator and at the end of a line. */
const BLANK = classSet(WS, FSI, LRI, RLI, PDI, BN, LRE, LRO, RLE, RLO, PDF) | SEPARATOR;

/** The second half of a surrogate pair counts as BN, and so takes the level of the first. */
function bidiUnits(text: string, levels: Uint8Array): BidiUnits {
  const classes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i)!;
    classes[i] = BIDI_CLASS_OF[recordOf(codePoint)]!;
    if (codePoint > 0xffff) classes[++i] = BN;
  }
  return { text, classes, types: classes.slice(), levels };
}

/** L1, items 1 to 3: separators, and the blanks before them, take the paragraph's level. */
function resetSeparators({ text, classes, levels }: BidiUnits, { start, end, level }: BidiParagraph): void {
  let from = start;
  for (let i = start; i < end; i++) {
    if (!((1 << classes[i]!) & SEPARATOR)) continue;
    levels.fill(level, contentEnd(text, from, i), i + 1);
    from = i + 1;
  }
}

/** Where the trailing blanks of the slice `start`–`end` begin. */
function contentEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start) {
    const isPair = at - 2 >= start && text.codePointAt(at - 2)! > 0xffff;
    const before = at - (isPair ? 2 : 1);
    if (!((1 << BIDI_CLASS_OF[recordOf(text.codePointAt(before)!)]!) & BLANK)) break;
    at = before;
  }
  return at;
}
