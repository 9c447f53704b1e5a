// Ends waiting after a time.

/** A signal that never aborts. */
export const NEVER: AbortSignal = new AbortController().signal;

/**
 * Runs `work` with a signal that aborts after `ms`. `AbortSignal.timeout` would keep its timer after the work has ended.
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException('The time is up.', 'TimeoutError')), ms);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result of `work`. Work that takes longer than `ms` goes on, and its result or error is ignored.
 *
 * @param late called when the time is up; returns the error to throw
 * @throws what `work` or `late` gives
 */
export async function resultWithin<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLate.reject(late()), ms);
  try {
    return await Promise.race([work, tooLate.promise]);
  } finally {
    clearTimeout(timer);
    // Node would end the process for an error that comes too late.
    work.catch(() => {});
  }
}

/** Waits for `work`, but no longer than `ms`. Returns whether it ended in that time. @throws what `work` throws */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timeout = Promise.withResolvers<false>();
  const timer = setTimeout(timeout.resolve, ms, false);
  try {
    return await Promise.race([work.then(() => true), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
