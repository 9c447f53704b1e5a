// When a webhook that was not acknowledged is sent again: ten attempts over three days (Standard Webhooks' schedule).

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after a failed attempt the next one follows, ms. The first attempt is made at once. */
const DELAYS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** How far a delay is spread either way, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * The time of the attempt after `attempts` failed ones, the last of which ended `now`; null when there is none.
 *
 * @param random from 0 up to, but not including, 1
 */
export function nextAttempt(attempts: number, now: Date, random: () => number): Date | null {
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay * (1 + JITTER * (2 * random() - 1)));
}
