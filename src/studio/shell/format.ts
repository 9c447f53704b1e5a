// Formats dates, sizes and counts for the studio, in the language of the interface.

import { computed } from '@preact/signals';
import { language } from '../texts/language.ts';
import { texts } from '../texts/shell.ts';

/**
 * The language of the interface as the reader's browser has it, such as `en-US`: so dates and numbers are written as in the reader's
 * region. A browser without that language has dates in English with the day first.
 */
const locale = computed(() => {
  const { navigator } = globalThis as { readonly navigator?: { readonly languages?: readonly string[] } };
  const own = navigator?.languages?.find((tag) => tag.toLowerCase().split('-')[0] === language.value);
  return own ?? (language.value === 'en' ? 'en-GB' : language.value);
});

const intl = computed(() => {
  const tag = locale.value;
  return {
    plural: new Intl.PluralRules(tag),
    // The narrow style of other languages writes “m”, which reads as metres, or a minus for “ago”.
    relative: new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: /^en/.test(tag) ? 'narrow' : 'short' }),
    dateTime: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }),
    dateOnly: new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }),
    clock: new Intl.DateTimeFormat(tag, { timeStyle: 'medium' }),
    number: new Intl.NumberFormat(tag),
    tenths: new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  };
});

const STEPS = [
  ['minute', 60, 3_600],
  ['hour', 3_600, 86_400],
  ['day', 86_400, 7 * 86_400],
] as const;

/** Such as `3 min ago`; a date if older than a week. */
export function ago(time: string): string {
  const { relative, dateOnly } = intl.value;
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  if (Math.abs(seconds) < 60) return seconds <= 0 ? texts.value.time.justNow : texts.value.time.inAMoment;
  for (const [unit, size, below] of STEPS) {
    if (Math.abs(seconds) < below) return relative.format(Math.trunc(seconds / size), unit);
  }
  return dateOnly.format(new Date(time));
}

export const exactTime = (time: string): string => intl.value.dateTime.format(new Date(time));
/** The time of day, to the second. */
export const clockTime = (time: string): string => intl.value.clock.format(new Date(time));
export const count = (value: number): string => intl.value.number.format(value);
/** With one decimal. */
export const decimal = (value: number): string => intl.value.tenths.format(value);

/** The forms of a word beside a number, by the rule of the language: English has `one` and `other`, Polish also `few` and `many`. */
type Forms = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>;

/** The form that goes with a number: `uses` of 1, `use` of others. */
export function form(value: number, forms: Forms): string {
  return forms[intl.value.plural.select(value)] ?? forms.other;
}

/** A number with its word. @param more of a language with more than two forms, all of them but `one` */
export function plural(value: number, one: string, more: string | Forms = `${one}s`): string {
  return `${count(value)} ${form(value, { one, ...(typeof more === 'string' ? { other: more } : more) })}`;
}

/** Such as `182 KB`, in units of 1,000. */
export function bytes(size: number): string {
  const { units } = texts.value;
  if (size < 1_000) return `${size} ${units.byte}`;
  const [unit, by] = size < 1e6 ? ([units.kilo, 1e3] as const) : size < 1e9 ? [units.mega, 1e6] : [units.giga, 1e9];
  const value = size / by;
  return `${value < 10 ? decimal(value) : Math.round(value)} ${unit}`;
}

/** Such as `420 ms` or `3.2 s`. */
export const duration = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${decimal(ms / 1_000)} s`);
