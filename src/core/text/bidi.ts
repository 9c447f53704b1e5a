// Finds the embedding levels of a whole text, and the visual order of the runs of each line (UAX #9).
//
// Levels are per UTF-16 unit, like the offsets of all text steps; no surrogate pair is split. The controls that rule X9
// removes keep their place with the level of the character before, so they start no run. L3 and L4 are left to
// HarfBuzz, which places marks and mirrors brackets in right-to-left runs. Time is linear in the text.

import {
  applyExplicitLevels,
  type BidiUnits,
  followRemoved,
  type IsolatingRunSequence,
  isolatingRunSequences,
  matchIsolates,
  PARAGRAPH,
} from './bidi-explicit.ts';
import { BIDI_CLASS, classSet } from './unicode-classes.ts';
import { BIDI_CLASS_OF, CLOSING_BRACKET, recordOf } from './unicode-data.ts';

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

const { L, R, AL, EN, ES, ET, AN, CS, NSM, BN, B, S, WS, ON, LRE, LRO, RLE, RLO, PDF, LRI, RLI, FSI, PDI } = BIDI_CLASS;
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

// Resolves the types and levels of one isolating run sequence.
//
// UAX #9, rules W1 to W7, N1, N2, I1 and I2; N0 is below. A rule runs only if the sequence has types that
// it applies to, in one pass, so the time is linear.

const STRONG = classSet(L, R, AL);
const NUMBERS = classSet(EN, AN);
const SEPARATORS = classSet(ES, CS);
const ISOLATE_CONTROLS = classSet(LRI, RLI, FSI, PDI);
/** NI: the types that N1 and N2 resolve. */
const NEUTRALS = classSet(B, S, WS, ON) | ISOLATE_CONTROLS;

/** Resolves the types of a sequence and writes the levels of its characters into `units.levels`. */
function resolveSequence(units: BidiUnits, sequence: IsolatingRunSequence): void {
  const { positions, types, level } = sequence;
  const seen = resolveMarksAndLetters(sequence);
  if (seen & NUMBERS && seen & SEPARATORS) joinNumbers(types);
  if (seen & classSet(ET)) joinTerminators(types);
  if (seen & (SEPARATORS | classSet(ET))) replaceLeftovers(types);
  if (seen & classSet(EN)) resolveEuropeanNumbers(sequence);
  if (seen & (NEUTRALS | SEPARATORS | classSet(ET))) {
    resolveBrackets(units, sequence);
    resolveNeutrals(sequence);
  }
  const rise = level & 1 ? ODD_RISE : EVEN_RISE;
  for (let k = 0; k < types.length; k++) units.levels[positions[k]!] = level + rise[types[k]!]!;
}

/** I1, I2: by how much a resolved type raises an even and an odd level. */
const EVEN_RISE = new Uint8Array(32);
const ODD_RISE = new Uint8Array(32);
EVEN_RISE[R] = 1;
EVEN_RISE[EN] = EVEN_RISE[AN] = 2;
ODD_RISE[L] = ODD_RISE[EN] = ODD_RISE[AN] = 1;

/** W1, W2, W3. Returns the set of types present afterwards. */
function resolveMarksAndLetters({ types, startOfSequence }: IsolatingRunSequence): number {
  let seen = 0;
  let previous = startOfSequence;
  let lastStrong = startOfSequence;
  for (let k = 0; k < types.length; k++) {
    let type = types[k]!;
    if (type === NSM) type = (1 << previous) & ISOLATE_CONTROLS ? ON : previous;
    previous = type;
    if ((1 << type) & STRONG) lastStrong = type;
    if (type === EN && lastStrong === AL) type = AN;
    else if (type === AL) type = R;
    types[k] = type;
    seen |= 1 << type;
  }
  return seen;
}

/** W4: a single separator between two numbers of one kind joins them. */
function joinNumbers(types: Uint8Array): void {
  for (let k = 1; k + 1 < types.length; k++) {
    const type = types[k]!;
    const before = types[k - 1]!;
    if (!((1 << type) & SEPARATORS) || before !== types[k + 1]) continue;
    if (before === EN || (before === AN && type === CS)) types[k] = before;
  }
}

/** W5: terminators beside a European number belong to it. */
function joinTerminators(types: Uint8Array): void {
  for (let k = 0; k < types.length; k++) {
    if (types[k] !== ET) continue;
    let end = k + 1;
    while (end < types.length && types[end] === ET) end++;
    if (types[k - 1] === EN || types[end] === EN) types.fill(EN, k, end);
    k = end;
  }
}

/** W6: separators and terminators that belong to no number are neutral. */
function replaceLeftovers(types: Uint8Array): void {
  for (let k = 0; k < types.length; k++) if ((1 << types[k]!) & (SEPARATORS | classSet(ET))) types[k] = ON;
}

/** W7: European numbers in left-to-right text count as L. */
function resolveEuropeanNumbers({ types, startOfSequence }: IsolatingRunSequence): void {
  let lastStrong = startOfSequence;
  for (let k = 0; k < types.length; k++) {
    const type = types[k]!;
    if (type === L || type === R) lastStrong = type;
    else if (type === EN && lastStrong === L) types[k] = L;
  }
}

/** N1, N2: neutrals between text of one direction take that direction, others the embedding's. */
function resolveNeutrals({ types, level, startOfSequence, endOfSequence }: IsolatingRunSequence): void {
  const embedding = level & 1 ? R : L;
  const direction = (type: number) => ((1 << type) & NUMBERS ? R : type);
  let before = startOfSequence;
  for (let k = 0; k < types.length; k++) {
    const type = types[k]!;
    if (!((1 << type) & NEUTRALS)) {
      before = direction(type);
      continue;
    }
    let end = k + 1;
    while (end < types.length && (1 << types[end]!) & NEUTRALS) end++;
    const after = end < types.length ? direction(types[end]!) : endOfSequence;
    types.fill(before === after ? before : embedding, k, end);
    k = end - 1;
  }
}

// Gives both brackets of a pair the same direction: UAX #9, BD14 to BD16 and rule N0.
//
// One pass pairs the brackets and records the strong types inside each pair, a second resolves the pairs in order of
// their openers. Both are linear, however brackets are nested.

/** BD16: deeper nesting ends the search. */
const MAX_OPEN = 63;

/** `opener` and `closer` are indices into the sequence. */
interface BracketPair {
  readonly opener: number;
  readonly closer: number;
  /** Whether strong types lie between the two: of the embedding's direction, and of the opposite one. */
  readonly holdsEmbedding: boolean;
  readonly holdsOpposite: boolean;
}

/** N0: gives each pair of brackets the direction of its content, or of the text before it. */
function resolveBrackets({ text, classes }: BidiUnits, sequence: IsolatingRunSequence): void {
  const { positions, types, level, startOfSequence } = sequence;
  const embedding = level & 1 ? R : L;
  const settle = (bracket: number, direction: number) => {
    types[bracket] = direction;
    // Marks on a bracket became neutral with it (W1); now they follow it.
    for (let k = bracket + 1; k < types.length && classes[positions[k]!] === NSM; k++) types[k] = direction;
  };

  let context = startOfSequence;
  let k = 0;
  for (const { opener, closer, holdsEmbedding, holdsOpposite } of bracketPairs(text, sequence)) {
    for (; k < opener; k++) context = strongDirection(types[k]!) ?? context;
    if (!holdsEmbedding && !holdsOpposite) continue;
    const direction = holdsEmbedding ? embedding : context;
    settle(opener, direction);
    settle(closer, direction);
  }
}

/** BD16: the pairs of a sequence, in order of their openers. */
function bracketPairs(text: string, { positions, types, level }: IsolatingRunSequence): readonly BracketPair[] {
  const embedding = level & 1 ? R : L;
  const pairs: BracketPair[] = [];
  /** Unmatched openers, and the number of strong types of each kind before them. */
  const open: { opener: number; closing: number; embeddings: number; opposites: number }[] = [];
  let embeddings = 0;
  let opposites = 0;

  for (let k = 0; k < types.length; k++) {
    const type = types[k]!;
    if (type !== ON) {
      const direction = strongDirection(type);
      if (direction === embedding) embeddings++;
      else if (direction !== null) opposites++;
      continue;
    }
    const unit = text.charCodeAt(positions[k]!);
    const closing = CLOSING_BRACKET.get(unit);
    if (closing !== undefined) {
      if (open.length === MAX_OPEN) break;
      open.push({ opener: k, closing: canonical(closing), embeddings, opposites });
    } else if (open.length > 0 && CLOSERS.has(unit)) {
      const match = open.findLastIndex((bracket) => bracket.closing === canonical(unit));
      const before = open[match];
      if (!before) continue;
      open.length = match;
      pairs.push({
        opener: before.opener,
        closer: k,
        holdsEmbedding: embeddings > before.embeddings,
        holdsOpposite: opposites > before.opposites,
      });
    }
  }
  return pairs.sort((a, b) => a.opener - b.opener);
}

const CLOSERS: ReadonlySet<number> = new Set(CLOSING_BRACKET.values());

/** Two pairs of angle brackets are canonically equivalent, U+2329, U+232A and U+3008, U+3009; they pair crosswise. */
function canonical(closing: number): number {
  return closing === 0x232a ? 0x3009 : closing;
}

/** Numbers count as R for N0; null for what has no direction. */
function strongDirection(type: number): number | null {
  return type === L ? L : type === R || type === EN || type === AN ? R : null;
}
