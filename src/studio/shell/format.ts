// Formats dates, sizes and counts for the studio, in the language of the interface.

import { computed } from '@preact/signals';
import { language } from '../texts/language.ts';
import { texts } from '../texts/shell.ts';

/** Dates in English have the day before the month. */
const locale = computed(() => (language.value === 'en' ? 'en-GB' : language.value));

const intl = computed(() => {
  const tag = locale.value;
  return {
    // German shortens minutes to an “m”, which reads as metres.
    relative: new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: /^de/.test(tag) ? 'short' : 'narrow' }),
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
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Such as `182 KB`, in units of 1,000. */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  const [unit, by] = size < 1e6 ? ['KB', 1e3] : size < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  const value = size / (by as number);
  return `${value < 10 ? decimal(value) : Math.round(value)} ${unit}`;
}

/** Such as `420 ms` or `3.2 s`. */
export const duration = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${decimal(ms / 1_000)} s`);
