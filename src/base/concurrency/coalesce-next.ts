// Coalesces concurrent calls: a run serves everybody who called before it began, and calls during a run share the next
// one.

/**
 * @returns a function that requests the work; all callers that a run served get its result, success or failure
 */
export function coalesceNext(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = () => {
    next = null;
    underWay = work();
    return underWay;
  };
  return () => {
    next ??= underWay.then(begin, begin);
    return next;
  };
}
