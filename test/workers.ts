import { availableParallelism } from 'node:os';

/**
 * How many test files run at a time: one less than there are processors, as by default, but two at least, where vitest
 * would use one. Most files wait for processes, browsers and databases.
 */
export const WORKERS = Math.max(2, availableParallelism() - 1);
