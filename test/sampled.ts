// Which of many like cases a run takes: all with WHOLE=1, otherwise every eighth.

const EVERY = process.env.WHOLE ? 1 : 8;

export const sampled = <T>(cases: readonly T[]): readonly T[] => cases.filter((_, index) => index % EVERY === 0);
