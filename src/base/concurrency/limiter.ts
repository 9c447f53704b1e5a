// Limits how many tasks of one kind run at once; the others wait in order of arrival, however many they are.

import { NEVER } from './deadline.ts';
import { Gate } from './gate.ts';

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function limiter(concurrency: number): Limiter {
  const gate = new Gate({ concurrency, waiting: Number.POSITIVE_INFINITY });
  return (work) => gate.pass(NEVER, work);
}
