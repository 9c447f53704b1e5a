// Tailors UAX #14 to CSS line-break and word-break, as classes in place of a character's own, and to Chromium.
//
// CSS Text 3, sections 5.2 and 5.3. CSS's rules for pairs of characters are in line-break.ts, under the flags set here.

import { LINE_BREAK_CLASS, TRAIT } from './unicode-classes.ts';
import { recordOf, TRAITS_OF } from './unicode-data.ts';

export interface LineBreakOptions {
  /**
   * CSS line-break: how freely Chinese and Japanese break. `strict` is UAX #14 without tailoring; `auto` is Chromium's:
   * `normal` but for Japanese hyphens.
   */
  readonly strictness: 'auto' | 'loose' | 'normal' | 'strict';
  /** CSS word-break: `break-all` breaks words anywhere, `keep-all` keeps Chinese, Japanese and Korean words whole. */
  readonly wordBreak: 'normal' | 'break-all' | 'keep-all';
  /** BCP 47, or null where the language is not known. Some of CSS's tailoring is for Chinese and Japanese only. */
  readonly locale: string | null;
  /** Break Thai, Lao, Khmer and Burmese between words, by the engine's dictionaries; else at spaces only. */
  readonly dictionary: boolean;
  /** `unicode` is UAX #14 of Unicode 15.0; `browser` departs from it as Chromium does, see below. */
  readonly profile: 'unicode' | 'browser';
}

export interface Tailoring {
  /** By class: the class that the rules use for it. */
  readonly classes: Uint8Array;
  /** By code point: a class that overrides its own; null where there are none. */
  readonly exceptions: ReadonlyMap<number, number> | null;
  /** Break between two IN, and between an ID and a hyphen. */
  readonly isLoose: boolean;
  /** Never break between two letters, digits or ideographs. */
  readonly keepsWords: boolean;
  /** Follow Chromium's rules, below. */
  readonly asBrowser: boolean;
}

const {
  AL,
  BK,
  CB,
  CJ,
  CL,
  CM,
  CR,
  GL,
  HL,
  HY,
  ID,
  LF,
  NL,
  NS,
  NU,
  OP,
  OP_WIDE,
  QU,
  QU_FINAL,
  QU_INITIAL,
  SA,
  SA_MARK,
  SP,
  ZW,
} = LINE_BREAK_CLASS;

export function tailor({ strictness, wordBreak, locale, profile }: LineBreakOptions): Tailoring {
  const keepsWords = wordBreak === 'keep-all';
  const asBrowser = profile === 'browser' && wordBreak !== 'break-all';
  const classes = OWN_CLASSES.slice();
  classes[CJ] = strictness === 'strict' && !keepsWords ? NS : ID; // LB1 leaves it to the tailoring.
  classes[SA] = AL; // LB1, for what no dictionary breaks.
  classes[SA_MARK] = CM;
  classes[QU_INITIAL] = classes[QU_FINAL] = QU;
  if (wordBreak === 'break-all') for (const letter of [AL, HL, NU, SA]) classes[letter] = ID;

  const isChinese = /^(zh|yue)\b/i.test(locale ?? '');
  const isJapanese = /^ja\b/i.test(locale ?? '');
  const exceptions = new Map<number, number>();
  const free = (codePoints: readonly number[]) => {
    for (const codePoint of codePoints) exceptions.set(codePoint, ID);
  };
  if (keepsWords || strictness === 'loose') free(ITERATION_MARKS);
  if (isChinese ? strictness !== 'strict' : isJapanese && (strictness === 'normal' || strictness === 'loose')) {
    free(EAST_ASIAN_HYPHENS);
  }
  if ((isChinese || isJapanese) && strictness === 'loose') {
    free(CENTERED_PUNCTUATION);
    free(WIDE_SUFFIXES_AND_PREFIXES);
  }
  if (asBrowser && isChinese) {
    exceptions.set(LEFT_DOUBLE_QUOTATION_MARK, OP);
    exceptions.set(RIGHT_DOUBLE_QUOTATION_MARK, CL);
  }
  return {
    classes,
    exceptions: exceptions.size > 0 ? exceptions : null,
    isLoose: strictness === 'loose',
    keepsWords,
    asBrowser,
  };
}

const OWN_CLASSES = Uint8Array.from(Object.values(LINE_BREAK_CLASS));

/** `loose` breaks before them: 々 〻 ゝ ゞ ヽ ヾ. For `keep-all` they are letters. */
const ITERATION_MARKS = [0x3005, 0x303b, 0x309d, 0x309e, 0x30fd, 0x30fe];

/** `normal` and `loose` break before them in Chinese and Japanese: 〜 ゠. */
const EAST_ASIAN_HYPHENS = [0x301c, 0x30a0];

/** `loose` breaks before them in Chinese and Japanese: ・ ： ； ･ ‼ ⁇ ⁈ ⁉ ！ ？. */
const CENTERED_PUNCTUATION = [0x30fb, 0xff1a, 0xff1b, 0xff65, 0x203c, 0x2047, 0x2048, 0x2049, 0xff01, 0xff1f];

/**
 * `loose` breaks before PO and after PR of East_Asian_Width A, F or W in Chinese and Japanese:
 * ° ‰ ′ ″ ‵ ℃ ℉ ﹪ ％ ￠ and ¤ ± € № ﹩ ＄ ￡ ￥ ￦.
 */
const WIDE_SUFFIXES_AND_PREFIXES = [
  ...[0xb0, 0x2030, 0x2032, 0x2033, 0x2035, 0x2103, 0x2109, 0xfe6a, 0xff05, 0xffe0],
  ...[0xa4, 0xb1, 0x20ac, 0x2116, 0xfe69, 0xff04, 0xffe1, 0xffe5, 0xffe6],
];

/** Chromium treats them as brackets in Chinese text, whatever their neighbours. */
const LEFT_DOUBLE_QUOTATION_MARK = 0x201c;
const RIGHT_DOUBLE_QUOTATION_MARK = 0x201d;

// Line break rules in which Chromium differs from Unicode 15.0: the profile `browser` of line-break.ts.
//
// Chromium breaks less often between visible ASCII characters, so that `and/or`, paths and prices stay whole: measured
// in Chromium 156 for every pair, before and after letters, digits, brackets and nothing. It treats quotation marks
// among East Asian characters (LB19a) and hyphens at the start of a word (LB20a) as later versions of UAX #14 do.

/** Whether a line may be broken before `offset`, with visible ASCII characters on both sides. */
export function allowsAsciiBreak(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  if (isLetterOrDigit(before)) return false;
  const after = text.charCodeAt(offset);
  if (before === HYPHEN_MINUS) {
    // A minus sign stays with its number; a hyphen has a word before it.
    return isDigit(after) ? offset > 1 && isLetterOrDigit(text.charCodeAt(offset - 2)) : !KEPT_BY_HYPHEN[after];
  }
  if (before === QUESTION_MARK) return !KEPT_BY_QUESTION_MARK[after];
  return OPENERS[after] === 1 && !NEVER_LAST[before];
}

/**
 * LB19a, Unicode 16: the class of a quotation mark between these two characters. Between East Asian ones an opening
 * mark is like an opening bracket and a closing mark like a closing one; elsewhere it allows no break on either side.
 */
export function quotationClass(ownClass: number, before: number, after: number): number {
  if (!isEastAsian(before) || !isEastAsian(after)) return QU;
  return ownClass === QU_INITIAL ? OP_WIDE : CL;
}

/** LB20a, Unicode 17: whether a hyphen of this class, or code point, stays with the letter that follows it. */
export function isWordInitialHyphen(beforeHyphen: number, hyphenClass: number, hyphen: number, after: number): boolean {
  if (after !== AL && after !== HL) return false;
  if (hyphenClass !== HY && (hyphen < 0x2010 || hyphen > 0x2013)) return false;
  return WORD_STARTS.has(beforeHyphen);
}

const WORD_STARTS: ReadonlySet<number> = new Set([BK, CB, CR, GL, LF, NL, SP, ZW]);

export function isVisibleAscii(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

const HYPHEN_MINUS = 0x2d;
const QUESTION_MARK = 0x3f;
const OPENERS = setOf('(<[{');
/** Characters after which there is no break before an opener. */
const NEVER_LAST = setOf("$'(/<@[^_`{");
const KEPT_BY_HYPHEN = setOf('!$),./:;?]}');
const KEPT_BY_QUESTION_MARK = setOf('!"\'),./:;?]}');

/** First and last code points of the blocks of East_Asian_Width F, W and H; emoji are W, too. */
const EAST_ASIAN: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xffef],
  [0x16fe0, 0x18d8f],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3ffff],
];

function isEastAsian(codePoint: number): boolean {
  if (EAST_ASIAN.some(([first, last]) => codePoint >= first && codePoint <= last)) return true;
  return (TRAITS_OF[recordOf(codePoint)]! & TRAIT.EMOJI_PRESENTATION) !== 0;
}

function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isLetterOrDigit(unit: number): boolean {
  return isDigit(unit) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a);
}
