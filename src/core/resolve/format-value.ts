// Formats the value of a text by its `format`, in its language, with ECMAScript's Intl.
//
// Intl's words and signs come from the CLDR of the runtime: equal runtimes give equal texts, and a newer one may write a
// date differently. The runtime's own language and time zone have no influence.

import { ValidationError } from '../diagnostics.ts';
import { LruCache } from '../lru-cache.ts';
import { parseMoment } from '../moment.ts';
import { dateParts, formatOptions, NO_CURRENCY, needsCurrency, valueProblem } from '../template/format.ts';
import type { TextLayer } from '../template/text-layer.ts';
import { decimal } from './modify-layer.ts';
import type { NumberStyle } from './scene.ts';

/** The properties of a template that its formats depend on. */
export interface Locale {
  /** BCP 47; absent = American English. */
  readonly lang?: string | undefined;
  /** ISO 4217. */
  readonly currency?: string | undefined;
}

export const FALLBACK = 'en-US';
const EPOCH = { time: 0, isLocal: true, isMonth: false };

/**
 * The text that a layer shows: its own, or formatted; an empty one stays empty.
 *
 * @param pathOf the path of the text or the format in the caller's input
 * @throws ValidationError with that path, when the text is not what the format is for
 */
export function formattedText<Layer extends Pick<TextLayer, 'text' | 'format' | 'lang'>>(
  layer: Layer,
  locale: Locale,
  pathOf: (layer: Layer, property: 'text' | 'format') => string,
): string {
  const { text, format } = layer;
  if (format === null || text.trim() === '') return text;
  const options = formatOptions(format);
  const language = layer.lang ?? locale.lang ?? FALLBACK;
  const problem = valueProblem(options, text);
  if (problem !== null) throw new ValidationError(pathOf(layer, 'text'), problem);
  if (options.type === 'list') return text;
  if (options.type === 'date') {
    const moment = parseMoment(text.trim()) ?? EPOCH;
    const { dateStyle, timeStyle } = options;
    const timeZone = moment.isLocal ? 'UTC' : options.timeZone;
    const parts = dateParts(options);
    const styles = { ...(dateStyle && { dateStyle }), ...(timeStyle && { timeStyle }) };
    const given = { timeZone, ...(parts ?? styles) } as Intl.DateTimeFormatOptions;
    return cached(DATES, language, given, (locales) => new Intl.DateTimeFormat(locales, given)).format(moment.time);
  }
  if (locale.currency === undefined && needsCurrency(format)) {
    throw new ValidationError(pathOf(layer, 'format'), NO_CURRENCY);
  }
  return formatNumber(text.trim().replace(/^\+/, ''), options, language, locale.currency);
}

/** The text of a number. */
export const numberText = (value: number, { format, language, currency }: NumberStyle): string =>
  formatNumber(decimal(value), format, language, currency);

type NumericFormat = NumberStyle['format'];

/** What writes the numbers of a format. */
interface NumberWriter {
  readonly language: string;
  readonly currency: string | undefined;
  readonly numbers: Intl.NumberFormat;
  /** null = the format has no forms. */
  readonly rules: Intl.PluralRules | null;
}

/** The last one of a format, which a column of a table has for all of its cells. */
const latest = new WeakMap<NumericFormat, NumberWriter>();

function formatNumber(number: string, format: NumericFormat, language: string, currency: string | undefined): string {
  let writer = latest.get(format);
  if (writer?.language !== language || writer.currency !== currency) {
    writer = numberWriter(format, language, currency);
    latest.set(format, writer);
  }
  // A string is exact, where a number would be rounded to 53 bits.
  const text = writer.numbers.format(number as Intl.StringNumericLiteral);
  if (format.type !== 'plural' || !writer.rules) return text;
  const form = format.forms[writer.rules.select(Number(number))] ?? format.forms.other;
  return form.replaceAll('#', () => text);
}

function numberWriter(format: NumericFormat, language: string, currency: string | undefined): NumberWriter {
  const { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping, signDisplay } = format;
  const given: Intl.NumberFormatOptions = {
    useGrouping,
    // A number that is rounded to zero has no sign.
    signDisplay: signDisplay === 'auto' ? 'negative' : signDisplay,
    ...(least !== null && { minimumFractionDigits: Math.min(least, most ?? least) }),
    ...(most !== null && { maximumFractionDigits: most }),
    ...(format.notation && { notation: format.notation }),
    ...styleOf(format, currency),
  };
  const numbers = cached(NUMBERS, language, given, (locales) => new Intl.NumberFormat(locales, given));
  const { useGrouping: _, signDisplay: __, ...digits } = given;
  const rules =
    format.type === 'plural'
      ? cached(PLURALS, language, digits, (locales) => new Intl.PluralRules(locales, digits))
      : null;
  return { language, currency, numbers, rules };
}

function styleOf(format: NumericFormat, currency: string | undefined): Intl.NumberFormatOptions {
  switch (format.type) {
    case 'currency': {
      const { currencyDisplay, currencySign } = format;
      return { style: 'currency', currency: format.currency ?? currency ?? 'XXX', currencyDisplay, currencySign };
    }
    case 'percent':
      return { style: 'percent' };
    case 'unit':
      return { style: 'unit', unit: format.unit, unitDisplay: format.unitDisplay };
    case 'number':
    case 'plural':
      return {};
  }
}

/** The text of a list as a modification: its entries joined as the language does. */
export function formatList(entries: readonly string[], layer: TextLayer, locale: Locale): string {
  const format = layer.format === null ? null : formatOptions(layer.format);
  const given = { type: format?.type === 'list' ? format.style : 'conjunction' } as const;
  const language = layer.lang ?? locale.lang ?? FALLBACK;
  return cached(LISTS, language, given, (locales) => new Intl.ListFormat(locales, given)).format(entries);
}

/** To make one of Intl's formatters takes some 50 µs, to use it one. */
const KEPT = 100;
const NUMBERS = new LruCache<string, Intl.NumberFormat>(KEPT);
const PLURALS = new LruCache<string, Intl.PluralRules>(KEPT);
const DATES = new LruCache<string, Intl.DateTimeFormat>(KEPT);
const LISTS = new LruCache<string, Intl.ListFormat>(KEPT);

function cached<T>(cache: LruCache<string, T>, language: string, given: object, make: (locales: string[]) => T): T {
  const key = `${language} ${JSON.stringify(given)}`;
  let formatter = cache.get(key);
  if (formatter === undefined) {
    formatter = make(localesOf(language));
    cache.set(key, formatter);
  }
  return formatter;
}

/** A second one, since Intl would else take the runtime's own for a language that it does not know. */
function localesOf(language: string): string[] {
  try {
    return [...Intl.getCanonicalLocales(language), FALLBACK];
  } catch {
    return [FALLBACK];
  }
}
