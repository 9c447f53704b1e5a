// Finds where the lines of a text may and must end (UAX #14, CSS line-break and word-break).
//
// These are opportunities only; break-lines.ts chooses among them by width. Unicode 15.0, with LB25 as in Example 7 of
// section 8.2, which its conformance test follows. One pass, linear in the text.

import { lazily } from '../lazily.ts';
import {
  allowsAsciiBreak,
  isVisibleAscii,
  isWordInitialHyphen,
  type LineBreakOptions,
  quotationClass,
  tailor,
} from './line-break-tailoring.ts';
import { isPlainText } from './plain-text.ts';
import { LINE_BREAK_CLASS } from './unicode-classes.ts';
import { LINE_BREAK_CLASS_OF, recordOf, SCRIPT_EXTENSIONS, SCRIPT_SET_OF } from './unicode-data.ts';

export { BREAK_ALLOWED, BREAK_MANDATORY, BREAK_PROHIBITED, type LineBreakOptions };

/**
 * For each offset 0..text.length the verdict before the unit there: BREAK_PROHIBITED, BREAK_ALLOWED or BREAK_MANDATORY.
 * The end of the text is mandatory. A soft hyphen is followed by an opportunity; layout draws the hyphen.
 */
export function breakOpportunities(text: string, options: LineBreakOptions): Uint8Array {
  if (options.profile === 'browser' && options.wordBreak !== 'break-all' && isPlainText(text)) return plainBreaks(text);
  const breaks = new Uint8Array(text.length + 1);
  const { classes, exceptions, isLoose, keepsWords, asBrowser } = tailor(options);
  let hasComplexContext = false;
  let previous = 0;

  // The last character that is neither space nor mark: its class, its offset, and the class before it (SP for a space).
  let base: number = SP;
  let baseOffset = 0;
  let beforeBase: number = SP;
  let afterSpaces = true;
  let afterJoiner = false;
  let number = OUTSIDE_NUMBER;
  let flagLetters = 0;

  for (let offset = 0, next = 0; offset < text.length; offset = next) {
    const codePoint = text.codePointAt(offset)!;
    next = offset + (codePoint > 0xffff ? 2 : 1);
    const ownClass = exceptions?.get(codePoint) ?? LINE_BREAK_CLASS_OF[recordOf(codePoint)]!;
    if (ownClass === SA) hasComplexContext = true;

    let after = classes[ownClass]!;
    if (asBrowser && (ownClass === QU_INITIAL || ownClass === QU_FINAL)) {
      after = quotationClass(ownClass, previous, text.codePointAt(next) ?? 0);
    }
    const before = previous;
    previous = codePoint;
    const isMark = after === CM || after === ZWJ;
    const joins = afterJoiner;
    afterJoiner = after === ZWJ;
    if (isMark && !afterSpaces && !takesNoMarks(base)) continue; // LB9
    if (isMark) after = AL; // LB10

    if (after === SP) {
      if (!afterSpaces) breaks[offset] = breakBetween(base, SP);
      afterSpaces = true;
      number = OUTSIDE_NUMBER;
      flagLetters = 0;
      continue;
    }

    let verdict: number;
    if (offset === 0) {
      verdict = BREAK_PROHIBITED; // LB2
    } else if (joins) {
      verdict = BREAK_PROHIBITED; // LB8a
    } else if (asBrowser && isVisibleAscii(codePoint) && isVisibleAscii(before)) {
      verdict = allowsAsciiBreak(text, offset) ? BREAK_ALLOWED : BREAK_PROHIBITED;
    } else if (afterSpaces) {
      verdict = breakAfterSpaces(base, after);
    } else if (
      (beforeBase === HL && (base === HY || base === BA) && after !== CB && !(asBrowser && after === HL)) || // LB21a
      continuesNumber(number, after) || // LB25
      (base === RI && after === RI && flagLetters % 2 === 1) || // LB30a
      (asBrowser && isWordInitialHyphen(beforeBase, base, text.charCodeAt(baseOffset), after)) ||
      (keepsWords && WORD_LIKE.has(base) && WORD_LIKE.has(after))
    ) {
      verdict = BREAK_PROHIBITED;
    } else if (
      isLoose &&
      ((base === IN && after === IN) || (base === ID && (codePoint === HYPHEN || codePoint === EN_DASH)))
    ) {
      verdict = BREAK_ALLOWED;
    } else {
      verdict = breakBetween(base, after);
      // LB25: a currency sign stays with the bracket before its number. Only here is it known that a number follows.
      const isOpened = base === OP || base === OP_WIDE;
      if (after === NU && isOpened && (beforeBase === PR || beforeBase === PO)) breaks[baseOffset] = BREAK_PROHIBITED;
    }
    breaks[offset] = verdict;

    number = nextInNumber(number, after);
    flagLetters = after === RI ? flagLetters + 1 : 0;
    beforeBase = afterSpaces ? SP : base;
    base = after;
    baseOffset = offset;
    afterSpaces = false;
  }

  if (hasComplexContext && options.dictionary && options.wordBreak !== 'break-all') allowDictionaryBreaks(text, breaks);
  breaks[text.length] = BREAK_MANDATORY; // LB3
  return breaks;
}

/** The profile `browser` for plain text, which no tailoring affects. */
function plainBreaks(text: string): Uint8Array {
  const breaks = new Uint8Array(text.length + 1);
  let base: number = SP;
  for (let offset = 0; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset);
    if (unit === SPACE) continue;
    if (offset > 0) {
      const isBehindSpace = text.charCodeAt(offset - 1) === SPACE;
      if (isBehindSpace) breaks[offset] = breakAfterSpaces(base, LINE_BREAK_CLASS_OF[recordOf(unit)]!);
      else if (allowsAsciiBreak(text, offset)) breaks[offset] = BREAK_ALLOWED;
    }
    if (text.charCodeAt(offset + 1) === SPACE) base = LINE_BREAK_CLASS_OF[recordOf(unit)]!;
  }
  breaks[text.length] = BREAK_MANDATORY;
  return breaks;
}

const SPACE = 0x20;

const { AL, BA, BK, CB, CL, CM, CP, CR, EB, EM, H2, H3, HL, HY, ID, ID_RESERVED, IN, IS, JL, JT, JV } =
  LINE_BREAK_CLASS;
const { LF, NL, NU, OP, OP_WIDE, PO, PR, QU_FINAL, QU_INITIAL, RI, SA, SP, SY, ZW, ZWJ } = LINE_BREAK_CLASS;

/** The classes that LB9 excludes. */
function takesNoMarks(base: number): boolean {
  return base === BK || base === CR || base === LF || base === NL || base === ZW;
}

/** The position in a number that LB25 keeps whole: outside, in its digits and signs, or after its closing bracket. */
const OUTSIDE_NUMBER = 0;
const IN_NUMBER = 1;
const BEHIND_NUMBER = 2;

function nextInNumber(number: number, after: number): number {
  if (after === NU) return IN_NUMBER;
  if (number !== IN_NUMBER) return OUTSIDE_NUMBER;
  if (after === SY || after === IS) return IN_NUMBER;
  return after === CL || after === CP ? BEHIND_NUMBER : OUTSIDE_NUMBER;
}

function continuesNumber(number: number, after: number): boolean {
  if (number === OUTSIDE_NUMBER) return false;
  if (after === PO || after === PR) return true;
  return number === IN_NUMBER && (after === NU || after === SY || after === IS || after === CL || after === CP);
}

/** The classes that CSS word-break: keep-all does not separate: letters, digits and ideographs. */
const WORD_LIKE: ReadonlySet<number> = new Set([AL, HL, NU, ID, ID_RESERVED, EB, EM, H2, H3, JL, JV, JT]);

const HYPHEN = 0x2010;
const EN_DASH = 0x2013;

// Finds break opportunities between words in scripts that write no spaces: Thai, Lao, Khmer and Burmese.
//
// The words come from the engine's dictionaries (`Intl.Segmenter`), so they may differ between engines and versions.

/** The scripts of class SA for which the engine has dictionaries; others, such as Tai Le, it breaks at every letter. */
const SCRIPTS_WITH_DICTIONARY: ReadonlySet<string | undefined> = new Set(['Thai', 'Laoo', 'Khmr', 'Mymr']);

/** The script selects the dictionary; the locale is fixed so that the machine's own makes no difference. */
const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** Allows breaks between the words inside each stretch of such text; the breaks at its ends are left unchanged. */
function allowDictionaryBreaks(text: string, breaks: Uint8Array): void {
  for (let at = 0; at < text.length; ) {
    const start = at;
    while (at < text.length && hasDictionary(text.codePointAt(at)!)) at++;
    if (at === start) at++;
    else if (at > start + 1) breakBetweenWords(text.slice(start, at), start, breaks);
  }
}

function breakBetweenWords(words: string, start: number, breaks: Uint8Array): void {
  for (const { index } of segmenter().segment(words)) {
    const isMark = LINE_BREAK_CLASS_OF[recordOf(words.charCodeAt(index))] === LINE_BREAK_CLASS.SA_MARK;
    if (index > 0 && !isMark) breaks[start + index] = BREAK_ALLOWED;
  }
}

/** All these characters are single UTF-16 units. */
function hasDictionary(codePoint: number): boolean {
  if (codePoint < 0x0e00) return false;
  const record = recordOf(codePoint);
  const lineBreakClass = LINE_BREAK_CLASS_OF[record];
  if (lineBreakClass !== LINE_BREAK_CLASS.SA && lineBreakClass !== LINE_BREAK_CLASS.SA_MARK) return false;
  return SCRIPTS_WITH_DICTIONARY.has(SCRIPT_EXTENSIONS[SCRIPT_SET_OF[record]!]?.[0]);
}

// Compiles the pair rules of UAX #14, written in the standard's notation, into lookup tables.
//
// Unicode 15.0, LB4 to LB31. Rules that need more than the two neighbours and the spaces between are in line-break.ts:
// marks (LB8a, LB9, LB10), Hebrew before a hyphen (LB21a), numbers (LB25) and flags (LB30a).

/** A line must not end here; may end here; must end here. */
const BREAK_PROHIBITED = 0;
const BREAK_ALLOWED = 1;
const BREAK_MANDATORY = 2;

/**
 * In order; the first rule that matches decides. `×` prohibits a break, `÷` allows it, `!` requires it. An empty side
 * is any class, `^` any class but these, `SP*` zero or more spaces. OP_WIDE is an OP, ID_RESERVED an ID.
 */
const RULES = `
  LB4   BK !
  LB5   CR × LF
  LB5   CR LF NL !
  LB6   × BK CR LF NL
  LB7   × SP ZW
  LB8   ZW SP* ÷
  LB11  × WJ
  LB11  WJ ×
  LB12  GL ×
  LB12a ^ SP BA HY × GL
  LB13  × CL CP EX IS SY
  LB14  OP OP_WIDE SP* ×
  LB15  QU SP* × OP OP_WIDE
  LB16  CL CP SP* × NS
  LB17  B2 SP* × B2
  LB18  SP ÷
  LB19  × QU
  LB19  QU ×
  LB20  ÷ CB
  LB20  CB ÷
  LB21  × BA HY NS
  LB21  BB ×
  LB21b SY × HL
  LB22  × IN
  LB23  AL HL × NU
  LB23  NU × AL HL
  LB23a PR × ID ID_RESERVED EB EM
  LB23a ID ID_RESERVED EB EM × PO
  LB24  PR PO × AL HL
  LB24  AL HL × PR PO
  LB25  PR PO OP OP_WIDE HY × NU
  LB26  JL × JL JV H2 H3
  LB26  JV H2 × JV JT
  LB26  JT H3 × JT
  LB27  JL JV JT H2 H3 × PO
  LB27  PR × JL JV JT H2 H3
  LB28  AL HL × AL HL
  LB29  IS × AL HL
  LB30  AL HL NU × OP
  LB30  CP × AL HL NU
  LB30b EB ID_RESERVED × EM
  LB31  ÷
`;

type ClassName = keyof typeof LINE_BREAK_CLASS;
const CLASS_NAMES = Object.keys(LINE_BREAK_CLASS) as ClassName[];
const CLASSES = CLASS_NAMES.length;
const VERDICTS: Readonly<Record<string, number>> = { '×': BREAK_PROHIBITED, '÷': BREAK_ALLOWED, '!': BREAK_MANDATORY };

/** The verdict between two adjacent classes. */
function breakBetween(before: number, after: number): number {
  return ADJACENT[before * CLASSES + after]!;
}

/** The verdict after the last of the spaces between two classes. `before` is SP at the text's start. */
function breakAfterSpaces(before: number, after: number): number {
  return SPACED[before * CLASSES + after]!;
}

const [ADJACENT, SPACED] = compile(RULES);

function compile(source: string): [Uint8Array, Uint8Array] {
  const adjacent = new Uint8Array(CLASSES * CLASSES);
  const spaced = new Uint8Array(CLASSES * CLASSES);
  // From the last rule to the first, so that earlier rules overwrite later ones.
  for (const line of source.trim().split('\n').reverse()) {
    const [, left = '', verdict = '', right = ''] = /^\s*LB\w+(?: ([^×÷!]*))?([×÷!])(.*)$/.exec(line) ?? [];
    const skipsSpaces = left.includes('SP*');
    const befores = classesOf(left.replace('SP*', ''));
    const value = VERDICTS[verdict] ?? BREAK_ALLOWED;
    for (const after of classesOf(right)) {
      for (const before of befores) adjacent[before * CLASSES + after] = value;
      // After spaces the neighbour is SP, unless the rule looks past them.
      if (skipsSpaces) for (const before of befores) spaced[before * CLASSES + after] = value;
      else if (befores.includes(LINE_BREAK_CLASS.SP)) {
        for (let before = 0; before < CLASSES; before++) spaced[before * CLASSES + after] = value;
      }
    }
  }
  return [adjacent, spaced];
}

/** The classes that one side of a rule names. */
function classesOf(side: string): number[] {
  const names = side.split(' ').filter((name) => name !== '');
  const isNegated = names[0] === '^';
  const everything = isNegated || names.length === 0;
  return CLASS_NAMES.filter((name) => names.includes(name) !== everything).map((name) => LINE_BREAK_CLASS[name]);
}
