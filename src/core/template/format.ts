// The schema of `format`, with which a text shows a number, a date or a list as its language writes it.
//
// Names and values are those of ECMAScript's Intl.

import { z } from 'zod';
import { parseDecimal } from '../decimal.ts';
import { quoted } from '../diagnostics.ts';
import { parseMoment } from '../moment.ts';

const FractionDigits = z.int().min(0).max(20).nullable().default(null);

const digits = {
  minimumFractionDigits: FractionDigits,
  maximumFractionDigits: FractionDigits.meta({ description: 'Rounded half away from zero; null = as is usual.' }),
  useGrouping: z.boolean().default(true),
  signDisplay: z.enum(['auto', 'always', 'exceptZero', 'negative', 'never']).default('auto'),
};

/** ISO 4217. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217 such as "EUR"');

const NumberFormat = z
  .strictObject({ type: z.literal('number'), ...digits, notation: z.enum(['standard', 'compact']).default('standard') })
  .meta({ id: 'NumberFormat', description: '1234.5 → 1,234.5' });

const CurrencyFormat = z
  .strictObject({
    type: z.literal('currency'),
    ...digits,
    currency: Currency.nullable().default(null).meta({ description: 'null = the `currency` of the template.' }),
    currencyDisplay: z.enum(['symbol', 'narrowSymbol', 'code', 'name']).default('symbol'),
    currencySign: z.enum(['standard', 'accounting']).default('standard'),
  })
  .meta({ id: 'CurrencyFormat', description: '1234.5 → €1,234.50' });

const PercentFormat = z
  .strictObject({ type: z.literal('percent'), ...digits })
  .meta({ id: 'PercentFormat', description: '0.19 → 19%' });

const UnitFormat = z
  .strictObject({
    type: z.literal('unit'),
    ...digits,
    unit: z
      .string()
      .max(50)
      .refine(isUnit, 'must be a unit of Intl such as "kilogram" or "kilometer-per-hour"')
      .meta({ description: 'As in Intl: `kilogram`, `kilometer-per-hour`.' }),
    unitDisplay: z.enum(['short', 'narrow', 'long']).default('short'),
  })
  .meta({ id: 'UnitFormat', description: '12.5 → 12.5 kg' });

const DateStyle = z.enum(['full', 'long', 'medium', 'short']).nullable();

const inDigits = ['numeric', '2-digit'] as const;
const inWords = ['long', 'short', 'narrow'] as const;

/** The parts of a date, in the order of the language. */
const DATE_PARTS = {
  weekday: z.enum(inWords).optional(),
  year: z.enum(inDigits).optional(),
  month: z.enum([...inDigits, ...inWords]).optional(),
  day: z.enum(inDigits).optional(),
};

const DateFormat = z
  .strictObject({
    type: z.literal('date'),
    dateStyle: DateStyle.default('medium'),
    timeStyle: DateStyle.default(null),
    ...DATE_PARTS,
    timeZone: z.string().max(50).refine(isTimeZone, 'must be a time zone such as "Europe/Berlin"').default('UTC').meta({
      description: 'Where a moment such as 2026-01-31T12:00:00Z is shown; a time without a zone stays as it is.',
    }),
  })
  .meta({
    id: 'DateFormat',
    description:
      '2026-01-31 → Jan 31, 2026. With `weekday`, `year`, `month` or `day`, these parts alone: {"month": "long", "year": "numeric"} → January 2026.',
  });

/** The parts of a date that a format names; null = it has a style. */
export function dateParts(
  format: Extract<Format, { readonly type: 'date' }>,
): Partial<Record<DatePart, string>> | null {
  const given = (Object.keys(DATE_PARTS) as DatePart[]).filter((part) => format[part] !== undefined);
  return given.length === 0 ? null : Object.fromEntries(given.map((part) => [part, format[part]]));
}
type DatePart = keyof typeof DATE_PARTS;

const ListFormat = z
  .strictObject({
    type: z.literal('list'),
    style: z.enum(['conjunction', 'disjunction', 'unit']).default('conjunction'),
  })
  .meta({ id: 'ListFormat', description: '["a", "b", "c"] → a, b, and c' });

const Form = z.string().max(1_000).optional();

const PluralFormat = z
  .strictObject({
    type: z.literal('plural'),
    ...digits,
    forms: z
      .strictObject({ zero: Form, one: Form, two: Form, few: Form, many: Form, other: z.string().max(1_000) })
      .meta({
        description: 'By plural category of the language; `#` is the number: {"one": "# day", "other": "# days"}.',
      }),
  })
  .meta({ id: 'PluralFormat', description: '3 → 3 days' });

const Options = z.discriminatedUnion('type', [
  NumberFormat,
  CurrencyFormat,
  PercentFormat,
  UnitFormat,
  DateFormat,
  ListFormat,
  PluralFormat,
]);

/** A word stands for an object of that type with all defaults. */
const SHORT = ['number', 'currency', 'percent', 'date', 'list'] as const;

export const Format = z.union([z.enum(SHORT), Options], {
  error: (issue) =>
    typeof issue.input === 'object' ? undefined : `must be ${SHORT.map((word) => `"${word}"`).join(', ')} or an object`,
});

export type Format = z.infer<typeof Options>;

const WHOLE: Readonly<Record<(typeof SHORT)[number], Format>> = {
  number: NumberFormat.parse({ type: 'number' }),
  currency: CurrencyFormat.parse({ type: 'currency' }),
  percent: PercentFormat.parse({ type: 'percent' }),
  date: DateFormat.parse({ type: 'date' }),
  list: ListFormat.parse({ type: 'list' }),
};

/** The options of a format; one object for each word. */
export const formatOptions = (format: z.infer<typeof Format>): Format =>
  typeof format === 'string' ? WHOLE[format] : format;

/** The properties of a run of text that shows a value. */
export const namedValue = {
  name: z.string().min(1).max(100).optional().meta({
    description:
      'Shows the value that the request, or another layer, has by this name; `text` stands where there is none.',
  }),
  format: Format.nullable().optional().meta({ description: 'How the value is written.' }),
};

/** A text, or a value by its name, in a code or in what a PDF says of itself. */
export const ValueSpan = z
  .strictObject({ text: z.string().max(3_000).default(''), ...namedValue })
  .meta({ id: 'ValueSpan', description: 'A text, or a value: {"name": "number"}.' });
export type ValueSpan = z.infer<typeof ValueSpan>;

/** The names of the values that texts show. @param spans a list of them; of all else there are none */
export const namesInTexts = (spans: unknown): readonly string[] =>
  Array.isArray(spans) ? (spans as readonly ValueSpan[]).flatMap(({ name }) => name ?? []) : [];

export const hasNamedTexts = <Span extends ValueSpan>(spans: readonly Span[] | null): spans is readonly Span[] =>
  namesInTexts(spans).length > 0;

/** What is wrong with a text as the value of a format; null = nothing, as with an empty text. */
export function valueProblem(format: Format, text: string): string | null {
  const value = text.trim();
  if (value === '' || format.type === 'list') return null;
  if (format.type === 'date' && parseMoment(value)?.isMonth) {
    const parts = dateParts(format);
    if (parts && !parts.day && !parts.weekday) return null;
    return `has no day, ${quoted(text, 40)}; write a format of {"month": "long", "year": "numeric"}`;
  }
  const isRight = format.type === 'date' ? parseMoment(value) !== null : parseDecimal(value) !== null;
  if (isRight) return null;
  const wanted =
    format.type === 'date'
      ? 'a date or time of ISO 8601 such as "2026-01-31" or "2026-01-31T12:00:00Z"'
      : 'a number such as 12.5';
  return `must be ${wanted}, this is ${quoted(text, 40)}`;
}

export const NO_CURRENCY = 'needs a currency, here or as `currency` of the template';

/** Whether a format is that of a currency and names none. */
export function needsCurrency(format: z.infer<typeof Format> | null): boolean {
  const options = format === null ? null : formatOptions(format);
  return options?.type === 'currency' && options.currency === null;
}

function isUnit(unit: string): boolean {
  return doesNotThrow(() => new Intl.NumberFormat('en-US', { style: 'unit', unit }));
}

function isTimeZone(timeZone: string): boolean {
  return doesNotThrow(() => new Intl.DateTimeFormat('en-US', { timeZone }));
}

function doesNotThrow(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}
