// Which of many like cases a run takes: another part of them each day, by its seed; all with WHOLE=1.

/**
 * The day, counted from 1970, or SEED, which takes what a run of that day took. Every run prints it. Random cases
 * begin with it, too.
 */
export const SEED = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000));
export const IS_WHOLE = process.env.WHOLE !== undefined;

export const sampled = <T>(cases: readonly T[], every = 8): readonly T[] =>
  IS_WHOLE ? cases : cases.filter((_, index) => (index + SEED) % every === 0);
