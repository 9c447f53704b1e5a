// Work that is written as a generator of short steps, so that a caller may pause between them.

/** Runs all steps without a pause. */
export function runToEnd<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
