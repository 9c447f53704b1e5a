// What style sheets put into a page: generated content, quotation marks, named strings, and the first letter.

import type { CssElement } from '../css/selectors.ts';
import type { Fragmentation, NamedString, TextSpan } from '../resolve/scene.ts';
import { type Counters, counterText } from '../text/counters.ts';
import { splitValue, tableOf } from './shorthands.ts';
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
  const given = splitValue(style.get('quotes')).map((each) => withoutEscapes(each.replace(/^["']|["']$/g, '')));
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
  const onPage = (attributes: readonly (readonly [string, string])[]) =>
    found.push({ name: '::page', attributes: new Map(attributes), children: [] });
  for (const part of splitValue(splitValue(style.get('content'), '/')[0] ?? '')) {
    const [, text = ''] = /^["'](.*)["']$/s.exec(part) ?? [];
    const [, name, inside = ''] = /^([a-z-]+)\((.*)\)$/is.exec(part) ?? [];
    const values = splitValue(inside, ',');
    if (/^["']/.test(part)) found.push(withoutEscapes(text));
    else if (/^attr$/i.test(name ?? '')) found.push(style.element.attributes.get(inside.trim().toLowerCase()) ?? '');
    else if (isInMargins && /^counter$/i.test(name ?? '') && /^pages?$/i.test(values[0] ?? '')) {
      if (values[1] && !/^decimal$/i.test(values[1])) style.lost('content', part);
      onPage([['counter', values[0]?.toLowerCase() ?? '']]);
    } else if (isInMargins && /^string$/i.test(name ?? ''))
      onPage([
        ['string', values[0] ?? ''],
        ['which', values[1]?.toLowerCase() ?? 'first'],
      ]);
    else if (/^counter$/i.test(name ?? ''))
      found.push(counterText(counters.of(values[0] ?? '').at(-1) ?? 0, values[1] ?? 'decimal'));
    else if (/^counters$/i.test(name ?? '')) {
      const between = withoutEscapes((values[1] ?? '').replace(/^["']|["']$/g, ''));
      found.push(
        counters
          .of(values[0] ?? '')
          .map((value) => counterText(value, values[2] ?? 'decimal'))
          .join(between),
      );
    } else if (/^target-counter$/i.test(name ?? '') && /^page$/i.test(values[1] ?? '')) {
      const [, attribute] = /^attr\(\s*([\w-]+)(?:[^)\w-][^)]*)?\)$/i.exec(values[0] ?? '') ?? [];
      const href = attribute
        ? style.element.attributes.get(attribute.toLowerCase())
        : values[0]?.replace(/^url\(|\)$|["']/gi, '');
      const target = targets.get(href ?? '');
      if (target) onPage([['of', target]]);
      else style.lost('content', `${part}, of which nothing has the id`);
    } else if (/^url$/i.test(name ?? ''))
      found.push({ name: 'img', attributes: new Map([['src', inside.replace(/^["']|["']$/g, '')]]), children: [] });
    else if (/^open-quote$/i.test(part)) found.push('“');
    else if (/^close-quote$/i.test(part)) found.push('”');
    else if (!/^no-(open|close)-quote$/i.test(part)) style.lost('content', part);
  }
  return found;
}

/** What a part of `content` counts, or shows, of pages. */
export function counterOf({ attributes }: CssElement): NonNullable<TextSpan['counter']> {
  const [counter, stringOf] = [attributes.get('counter'), attributes.get('string')];
  if (counter !== undefined) return counter as 'page' | 'pages';
  if (stringOf !== undefined) return { stringOf, which: attributes.get('which') as NamedString['which'] };
  return { pageOf: attributes.get('of') ?? '' };
}

/** CSS GCPM 3, 1.1: `string-set`. */
export function stringsOf(element: CssElement, style: Style, counters: Counters): Fragmentation['strings'] {
  const given = style.get('string-set');
  if (given === '' || /^none$/i.test(given)) return undefined;
  const strings = splitValue(given, ',').map((each) => {
    const [name = '', ...parts] = splitValue(each.trim());
    const words = parts.map((part) => {
      const [, text] = /^["'](.*)["']$/s.exec(part) ?? [];
      const [, attribute] = /^attr\(\s*([\w-]+)\s*\)$/i.exec(part) ?? [];
      const [, counter, type = 'decimal'] = /^counter\(\s*([\w-]+)\s*(?:,\s*([\w-]+)\s*)?\)$/i.exec(part) ?? [];
      if (text !== undefined) return withoutEscapes(text);
      if (attribute) return element.attributes.get(attribute.toLowerCase()) ?? '';
      if (counter) return counterText(counters.of(counter).at(-1) ?? 0, type);
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

/** A string of a style sheet without its escapes (CSS Syntax 3, 4.3.7). */
export const withoutEscapes = (text: string): string =>
  text.replace(/\\([0-9a-f]{1,6})\s?|\\\n|\\(.)/gis, (_, code, character) =>
    code ? String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16) || 0xfffd)) : (character ?? ''),
  );
