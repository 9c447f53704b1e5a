// How long a job waits between its attempts.

/** After the first and after the second, ms, … */
const DELAYS: readonly number[] = [2_000, 8_000];
/** … give or take. */
const JITTER = 0.2;

/**
 * When to try again after `attempt`, from 1 up, ended `now`.
 *
 * @param random from 0 up to, but not including, 1
 */
export function retryAt(attempt: number, now: Date, random: () => number): Date {
  const delay = DELAYS[attempt - 1] ?? 0;
  return new Date(now.getTime() + delay * (1 + JITTER * (2 * random() - 1)));
}
