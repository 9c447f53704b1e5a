// Translates CSS line-break and word-break into the classes that UAX #14 uses in place of a character's own.
//
// CSS Text 3, sections 5.2 and 5.3. CSS's rules for pairs of characters are in line-break.ts, under the flags set here.

import { LINE_BREAK_CLASS } from './unicode-classes.ts';

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
  /** `unicode` is UAX #14 of Unicode 15.0; `browser` departs from it as Chromium does, see browser-breaks.ts. */
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
  /** Follow browser-breaks.ts. */
  readonly asBrowser: boolean;
}

const { AL, CJ, CL, CM, HL, ID, NS, NU, OP, QU, QU_FINAL, QU_INITIAL, SA, SA_MARK } = LINE_BREAK_CLASS;

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
