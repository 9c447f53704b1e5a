// Where browsers break a line between two visible ASCII characters: less often than UAX #14, so that `and/or`, paths and
// prices stay whole.
//
// Measured in Chromium 156 for every pair, before and after letters, digits, brackets and nothing.

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

export function isVisibleAscii(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

const HYPHEN_MINUS = 0x2d;
const QUESTION_MARK = 0x3f;
const OPENERS = setOf('(<[{');
/** What an opener stays with. */
const NEVER_LAST = setOf("$'(/<@[^_`{");
const KEPT_BY_HYPHEN = setOf('!$),./:;?]}');
const KEPT_BY_QUESTION_MARK = setOf('!"\'),./:;?]}');

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
