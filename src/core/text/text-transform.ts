// Applies CSS text-transform, by the case rules of the text's language.

import type { CharacterStyle } from '../resolve/scene.ts';

/** Letters whose title case is a character of its own. */
const TITLE_CASE: Readonly<Record<string, string>> = { ǆ: 'ǅ', ǉ: 'ǈ', ǌ: 'ǋ', ǳ: 'ǲ', Ǆ: 'ǅ', Ǉ: 'ǈ', Ǌ: 'ǋ', Ǳ: 'ǲ' };
/** The first letter of a word: apostrophes and marks do not start a new one. */
const WORD_START = /(?<![\p{L}\p{N}\p{M}'’·])\p{L}/gu;
const DUTCH_WORD_START = /(?<![\p{L}\p{N}\p{M}'’·])(?:ij|\p{L})/gu;

/**
 * Transforms one span. Lengths may change (`ß` → `SS`).
 *
 * @param before the text before the span, which may contain the start of its first word
 */
export function transformText(text: string, style: CharacterStyle, before: string): string {
  if (style.textTransform === 'none') return text;
  const locale = localeOf(style.lang);
  switch (style.textTransform) {
    case 'uppercase':
      return text.toLocaleUpperCase(locale);
    case 'lowercase':
      return text.toLocaleLowerCase(locale);
    case 'capitalize': {
      const dutch = locale === 'nl';
      const context = before.slice(-2);
      return (context + text)
        .replace(dutch ? DUTCH_WORD_START : WORD_START, (letter, at: number) =>
          at < context.length ? letter : dutch && letter === 'ij' ? 'IJ' : titleCase(letter, locale),
        )
        .slice(context.length);
    }
  }
}

function titleCase(letter: string, locale: string): string {
  const title = TITLE_CASE[letter];
  if (title) return title;
  const [first = '', ...rest] = letter.toLocaleUpperCase(locale);
  return first + rest.join('').toLocaleLowerCase(locale);
}

/** The languages with case rules of their own; a tag that `Intl` would refuse must not throw. */
export function localeOf(tag: string | null): string {
  const primary = tag?.toLowerCase().split('-')[0] ?? '';
  return ['tr', 'az', 'lt', 'el', 'nl'].includes(primary) ? primary : 'en';
}
