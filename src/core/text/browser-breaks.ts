// Line break rules in which Chromium differs from Unicode 15.0: the profile `browser` of line-break.ts.
//
// Chromium breaks less often between visible ASCII characters, so that `and/or`, paths and prices stay whole: measured
// in Chromium 156 for every pair, before and after letters, digits, brackets and nothing. It treats quotation marks
// among East Asian characters (LB19a) and hyphens at the start of a word (LB20a) as later versions of UAX #14 do.

import { LINE_BREAK_CLASS, TRAIT } from './unicode-classes.ts';
import { recordOf, TRAITS_OF } from './unicode-data.ts';

const { AL, BK, CB, CL, CR, GL, HL, HY, LF, NL, OP_WIDE, QU, QU_INITIAL, SP, ZW } = LINE_BREAK_CLASS;

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
