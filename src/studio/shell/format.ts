// Formats dates, sizes and counts for the studio.

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dateOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const whole = new Intl.NumberFormat('en');

const STEPS = [
  ['minute', 60, 3_600],
  ['hour', 3_600, 86_400],
  ['day', 86_400, 7 * 86_400],
] as const;

/** Such as `3 min ago`; a date if older than a week. */
export function ago(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1_000;
  if (Math.abs(seconds) < 60) return seconds <= 0 ? 'just now' : 'in a moment';
  for (const [unit, size, below] of STEPS) {
    if (Math.abs(seconds) < below) return relative.format(Math.trunc(seconds / size), unit);
  }
  return dateOnly.format(new Date(time));
}

export const exactTime = (time: string): string => dateTime.format(new Date(time));
export const count = (value: number): string => whole.format(value);
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Such as `182 KB`, in units of 1,000. */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  const [unit, by] = size < 1e6 ? ['KB', 1e3] : size < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  const value = size / (by as number);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** Such as `420 ms` or `3.2 s`. */
export const duration = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);
