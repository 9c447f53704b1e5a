// Runs work that is written as a generator of short steps with breaks for the thread's other work.

import { nextTurn } from '#platform/next-turn.ts';

/** ms of work between breaks. */
const STRETCH_MS = 8;

/** Lets other work of the thread run every few milliseconds, which a large picture must not delay. */
export async function inTurns<T>(steps: Generator<unknown, T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < STRETCH_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}
