// Delays between the attempts at a job.

/** Delays after the first and after the second attempt, ms. */
const DELAYS: readonly number[] = [2_000, 8_000];
/** Relative spread of a delay either way. */
const JITTER = 0.2;

/**
 * When to try again after attempt number `attempt`, from 1 up, which ended at `now`.
 *
 * @param random from 0 up to, but not including, 1
 */
export function retryAt(attempt: number, now: Date, random: () => number): Date {
  const delay = DELAYS[attempt - 1] ?? 0;
  return new Date(now.getTime() + delay * (1 + JITTER * (2 * random() - 1)));
}
