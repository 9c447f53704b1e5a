// What style sheets put into a page: generated content, quotation marks, named strings, and the first letter.

import { type CssElement, generated } from '../css/selectors.ts';
import type { Fragmentation, NamedString, TextSpan } from '../resolve/scene.ts';
import { type Counters, counterText } from '../text/counters.ts';
import { splitValue, tableOf, unquoted } from './shorthands.ts';
import type { Style } from './style.ts';
import { wordsIn } from './user-agent.ts';

/** CLDR's quotation marks, of languages that have others than English. */
const QUOTES = tableOf<readonly [string, string]>({
  de: ['„“', '‚‘'],
  fr: ['«»', '«»'],
  es: ['«»', '“”'],
  it: ['«»', '“”'],
  pl: ['„”', '«»'],
  ru: ['«»', '„“'],
  ja: ['「」', '『』'],
});

/** HTML, 15.3.6: by language, and others in quotations. */
export function quotesAround(style: Style, lang: string | null): readonly [string, string] | null {
  if (/^none$/i.test(style.get('quotes'))) return null;
  const given = splitValue(style.get('quotes')).map(stringOf);
  let depth = 0;
  for (let each = style.parent; each; each = each.parent) if (each.element.name === 'q') depth += 1;
  if (given.length >= 2) {
    const at = 2 * Math.min(depth, Math.floor(given.length / 2) - 1);
    return [given[at] ?? '', given[at + 1] ?? ''];
  }
  const [outer, inner] = QUOTES.get(lang?.split('-')[0]?.toLowerCase() ?? '') ?? ['“”', '‘’'];
  const [open = '', close = ''] = (depth % 2 === 0 ? outer : inner) ?? '';
  return [open, close];
}

/**
 * CSS Content 3: strings, attributes, counters, quotes and pictures.
 *
 * @param targets the names of the boxes that links are to
 * @param isInMargins whether it is of a sheet's margins, where pages are counted, and strings of the page shown (CSS GCPM 3)
 */
export function generatedBy(
  style: Style,
  counters: Counters,
  targets: ReadonlyMap<string, string>,
  isInMargins = false,
): (CssElement | string)[] {
  const found: (CssElement | string)[] = [];
  const onPage = (counter: PageCount['counter']) => found.push({ ...generated('::page'), counter } as PageCount);
  for (const part of splitValue(splitValue(style.get('content'), '/')[0] ?? '')) {
    const [, given = '', inside = ''] = /^([a-z-]+)\((.*)\)$/is.exec(part) ?? [];
    const name = given.toLowerCase();
    const [first = '', second] = splitValue(inside, ',');
    if (isInMargins && name === 'counter' && /^pages?$/i.test(first)) {
      if (second && !/^decimal$/i.test(second)) style.lost('content', part);
      onPage(first.toLowerCase() as 'page' | 'pages');
    } else if (isInMargins && name === 'string')
      onPage({ stringOf: first, which: (second?.toLowerCase() ?? 'first') as NamedString['which'] });
    else if (name === 'target-counter' && /^page$/i.test(second ?? '')) {
      const [, attribute] = /^attr\(\s*([\w-]+)(?:[^)\w-][^)]*)?\)$/i.exec(first) ?? [];
      const href = attribute
        ? style.element.attributes.get(attribute.toLowerCase())
        : first.replace(/^url\(|\)$|["']/gi, '');
      const target = targets.get(href ?? '');
      if (target) onPage({ pageOf: target });
      else style.lost('content', `${part}, of which nothing has the id`);
    } else if (name === 'url')
      found.push({ name: 'img', attributes: new Map([['src', unquoted(inside)]]), children: [] });
    else if (/^open-quote$/i.test(part)) found.push('“');
    else if (/^close-quote$/i.test(part)) found.push('”');
    else if (!/^no-(open|close)-quote$/i.test(part)) {
      const words = wordsOf(part, style.element, counters);
      if (words === null) style.lost('content', part);
      else found.push(words);
    }
  }
  return found;
}

/** What a string, an attribute or counters say in `content` and `string-set`; null = it is none of these. */
function wordsOf(part: string, element: CssElement, counters: Counters): string | null {
  if (/^["']/.test(part)) return stringOf(part);
  const [, name = '', inside = ''] = /^([a-z-]+)\((.*)\)$/is.exec(part) ?? [];
  const [first = '', second, third] = splitValue(inside, ',');
  switch (name.toLowerCase()) {
    case 'attr':
      return element.attributes.get(first.toLowerCase()) ?? '';
    case 'counter':
      return counterText(counters.of(first).at(-1) ?? 0, second ?? 'decimal');
    case 'counters':
      return counters
        .of(first)
        .map((value) => counterText(value, third ?? 'decimal'))
        .join(stringOf(second ?? ''));
    default:
      return null;
  }
}

/** What counts pages, or shows what the page says elsewhere, in generated content. */
export interface PageCount extends CssElement {
  readonly counter: NonNullable<TextSpan['counter']>;
}

/** CSS GCPM 3, 1.1: `string-set`. */
export function stringsOf(element: CssElement, style: Style, counters: Counters): Fragmentation['strings'] {
  const given = style.get('string-set');
  if (given === '' || /^none$/i.test(given)) return undefined;
  const strings = splitValue(given, ',').map((each) => {
    const [name = '', ...parts] = splitValue(each.trim());
    const words = parts.map((part) => {
      const known = wordsOf(part, element, counters);
      if (known !== null) return known;
      if (!/^content\(\s*(?:text\s*)?\)$/i.test(part)) style.lost('string-set', part);
      return wordsIn(element).replace(/\s+/g, ' ').trim();
    });
    return [name, words.join('')] as const;
  });
  return Object.fromEntries(strings);
}

/** How long the first letter of a text is, with the punctuation before and after it (CSS Pseudo-Elements 4, 2.2). */
export function firstLetter(text: string): number {
  const characters = Array.from(text.slice(0, 40));
  const isBeside = (at: number) => /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]/u.test(characters[at] ?? '');
  let end = 0;
  while (isBeside(end)) end += 1;
  if (/\S/.test(characters[end] ?? ' ')) end += 1;
  while (/\p{M}/u.test(characters[end] ?? '')) end += 1;
  while (isBeside(end)) end += 1;
  return characters.slice(0, end).join('').length;
}

/** What a string of a style sheet says (CSS Syntax 3, 4.3.7). */
export const stringOf = (text: string): string =>
  text
    .replace(/^["']|["']$/g, '')
    .replace(/\\([0-9a-f]{1,6})\s?|\\\n|\\(.)/gis, (_, code, character) =>
      code ? String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16) || 0xfffd)) : (character ?? ''),
    );
