// What handlers are made of: a hook that runs an action, and tells whether it still runs and how the last one failed.

import { useState } from 'preact/hooks';

interface Action {
  readonly isBusy: boolean;
  /** How the last one failed; null: it did not, or another has begun since. */
  readonly error: Error | null;
  readonly setError: (error: Error | null) => void;
  readonly run: (action: () => Promise<unknown>) => Promise<void>;
}

/** @param onError called with each failure, such as `toastError` where there is no room for `error` */
export function useAction(onError?: (error: Error) => void): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await action();
    } catch (err) {
      const failure = err instanceof Error ? err : new Error(String(err));
      setError(failure);
      onError?.(failure);
    }
    setBusy(false);
  };
  return { isBusy, error, setError, run };
}

/** The end of an action after which the browser leaves the page: it stays busy until then. */
export const leaving = () => new Promise<never>(() => {});

/** A form's `onSubmit` that leaves the page where it is. */
export const submits = (act: () => void) => (event: Event) => {
  event.preventDefault();
  act();
};

/** Sets a signal where a handler is one expression. */
export function setSignal<T>(signal: { value: T }, value: T): void {
  signal.value = value;
}
