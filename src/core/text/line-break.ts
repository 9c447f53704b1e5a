// Text → where its lines may and must be broken (UAX #14, CSS line-break and word-break).
//
// Only opportunities: which of them are used is the width's matter. None splits a grapheme cluster.

export const BREAK_PROHIBITED = 0;
export const BREAK_ALLOWED = 1;
/** After a line feed, a paragraph separator, …; and at the end of the text. */
export const BREAK_MANDATORY = 2;

export interface LineBreakOptions {
  /** CSS line-break for Chinese and Japanese; `strict` is UAX #14 untailored. */
  readonly strictness: 'loose' | 'normal' | 'strict';
  /** CSS word-break. */
  readonly wordBreak: 'normal' | 'break-all' | 'keep-all';
  /** BCP 47, or null where the language is not known. */
  readonly locale: string | null;
  /** Break Thai, Lao, Khmer and Burmese between words, by dictionary; without, only at spaces. */
  readonly dictionary: boolean;
}

/**
 * For each offset 0..text.length what may happen before the unit at that offset: one of BREAK_PROHIBITED,
 * BREAK_ALLOWED and BREAK_MANDATORY. A soft hyphen is followed by an opportunity; showing the hyphen is layout's.
 */
export function breakOpportunities(text: string, _options: LineBreakOptions): Uint8Array {
  const breaks = new Uint8Array(text.length + 1);
  for (let i = 1; i < text.length; i++) {
    const before = text.charCodeAt(i - 1);
    if (before === 0x0a) breaks[i] = BREAK_MANDATORY;
    else if (before === 0x20 && text.charCodeAt(i) !== 0x20) breaks[i] = BREAK_ALLOWED;
  }
  breaks[text.length] = BREAK_MANDATORY;
  return breaks;
}
