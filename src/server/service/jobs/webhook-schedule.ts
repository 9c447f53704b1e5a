// Schedules retries of webhooks that were not acknowledged: ten attempts over three days (Standard Webhooks' schedule).

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after a failed attempt, ms. The first attempt is made at once. */
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
/** Relative spread of a delay either way, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Time of the next attempt after `attempts` failed ones, the last of which ended at `now`; null when there is none.
 *
 * @param random from 0 up to, but not including, 1
 */
export function nextAttempt(attempts: number, now: Date, random: () => number): Date | null {
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay * (1 + JITTER * (2 * random() - 1)));
}
