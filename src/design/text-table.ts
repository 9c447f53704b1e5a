// The texts of a template in all its languages as a table, to be translated and put back.

import { quoted, ValidationError } from '#core/diagnostics.ts';
import { didYouMean } from '#core/nearest-name.ts';
import { isObject } from '#core/resolve/modify-layer.ts';
import { LanguageTag } from '#core/template/text-layer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A text of the template, in its own language and in others. */
interface TextRow {
  /** The name of its layer. */
  readonly name: string;
  /** As the template is written. */
  readonly source: string;
  /** By language, BCP 47; absent = not translated. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface TextTable {
  /** The template's own language; null = it names none. */
  readonly lang: string | null;
  /** The others, in the order in which they come. */
  readonly languages: readonly string[];
  readonly rows: readonly TextRow[];
}

/** One translation: what a layer says in a language. */
export interface Translated {
  readonly name: string;
  readonly lang: string;
  readonly text: string;
}

/** A number is the same in every language, or written by its format. */
const WORDS = /\p{L}/u;
/** An address without a scheme: `shop.example/sale`. */
const ADDRESS = /^[\p{L}\d-]+\.\S*[\p{L}\d/]$/u;
/** `SPRING60` */
const CODE = /^[\p{Lu}\d/_-]+$/u;

/** Whether a text has to be translated: an address, a handle or a code may stay as it is. */
export function needsTranslation(text: string): boolean {
  const one = text.trim();
  if (/\s/.test(one)) return true;
  return !(/:\/\/|@/.test(one) || ADDRESS.test(one) || (CODE.test(one) && /\d/.test(one)));
}

/** Whether a text is still to be translated. */
export const isUntranslated = ({ source, texts }: Pick<TextRow, 'source' | 'texts'>, lang: string): boolean =>
  texts[lang] === undefined && needsTranslation(source);

/** @param document as it is stored; it need not be a template that can be drawn */
export function textTable(document: Fields): TextTable {
  const texts = isObject(document.texts) ? document.texts : {};
  const lang = typeof document.lang === 'string' ? document.lang : null;
  const layers = [...textLayers(document.layers)].filter(
    ({ name, text }) => WORDS.test(text) || Object.hasOwn(texts, name),
  );
  const languages = new Set<string>();
  const rows = layers.map(({ name, text }) => {
    const byLanguage = Object.hasOwn(texts, name) && isObject(texts[name]) ? texts[name] : {};
    const said: Record<string, string> = {};
    for (const [tag, value] of Object.entries(byLanguage)) {
      languages.add(tag);
      const words = wordsOf(value);
      if (words !== null) said[tag] = words;
    }
    return { name, source: text, texts: said };
  });
  return { lang, languages: [...languages].filter((tag) => tag !== lang), rows };
}

function* textLayers(layers: unknown): Generator<{ readonly name: string; readonly text: string }> {
  if (!Array.isArray(layers)) return;
  for (const layer of layers) {
    if (!isObject(layer)) continue;
    if (layer.type === 'text' && typeof layer.name === 'string') {
      yield { name: layer.name, text: wordsOf(layer) ?? '' };
    }
    yield* textLayers(layer.children);
  }
}

/** A text, or the words of an object with `text` or `spans`; null = it says nothing of words. */
function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return null;
  if (Array.isArray(value.spans)) {
    return value.spans.map((span) => (isObject(span) && typeof span.text === 'string' ? span.text : '')).join('');
  }
  return typeof value.text === 'string' ? value.text : null;
}

/**
 * The document with these translations. What a language changes beside the words stays; an empty text removes it.
 *
 * @throws ValidationError naming a layer that there is not, or a tag that is none
 */
export function withTranslations<Document extends Fields>(
  document: Document,
  entries: readonly Translated[],
): Document {
  const names = new Set([...textLayers(document.layers)].map(({ name }) => name));
  const texts: Record<string, Record<string, unknown>> = {};
  const before = isObject(document.texts) ? document.texts : {};
  for (const [name, byLanguage] of Object.entries(before)) texts[name] = { ...(byLanguage as Record<string, unknown>) };
  for (const { name, lang, text } of entries) {
    if (!names.has(name)) throw new ValidationError(name, `the template has no text ${didYouMean(name, names)}`);
    const tag = LanguageTag.safeParse(lang);
    if (!tag.success) throw new ValidationError(lang, 'is no BCP 47 tag, such as "en" or "pt-BR"');
    const own = texts[name] ?? {};
    texts[name] = own;
    const known = own[lang];
    if (text === wordsOf(known)) continue;
    if (text === '') delete own[lang];
    else if (isObject(known)) own[lang] = withWords(known, text);
    else own[lang] = text;
  }
  const left = Object.entries(texts).filter(([, byLanguage]) => Object.keys(byLanguage).length > 0);
  const { texts: _before, ...rest } = document;
  return { ...rest, ...(left.length > 0 && { texts: Object.fromEntries(left) }) } as unknown as Document;
}

/** Plain words in place of styled ones. */
function withWords({ spans: _spans, ...rest }: Fields, text: string): Fields {
  return { ...rest, text };
}

/** A row of names, then one for each text: layer, own language, others. */
export function tableRows({ lang, languages, rows }: TextTable): readonly (readonly string[])[] {
  return [
    ['layer', lang ?? 'source', ...languages],
    ...rows.map(({ name, source, texts }) => [name, source, ...languages.map((tag) => texts[tag] ?? '')]),
  ];
}

/**
 * Reads such rows back. The column of the template's own language is left alone, and empty cells mean that nothing was
 * translated.
 *
 * @throws ValidationError naming the row
 */
export function translationsIn(rows: readonly (readonly string[])[], own: string | null): readonly Translated[] {
  const [head = [], ...body] = rows;
  if (head[0]?.trim().toLowerCase() !== 'layer') {
    throw new ValidationError('line 1', 'must name the columns: "layer", then a language each');
  }
  const tags = head.map((tag) => tag.trim());
  return body.flatMap((row, at) =>
    tags.flatMap((lang, column) => {
      const text = row[column] ?? '';
      if (column === 0 || text === '' || lang === '' || lang === own || lang === 'source') return [];
      if (!LanguageTag.safeParse(lang).success) {
        throw new ValidationError('line 1', `${quoted(lang, 40)} is no language, such as "de" or "pt-BR"`);
      }
      const name = row[0] ?? '';
      if (name === '') throw new ValidationError(`line ${at + 2}`, 'names no layer');
      return [{ name, lang, text }];
    }),
  );
}
