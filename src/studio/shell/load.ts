// Loads a page's data, and keeps a copy that the next visit shows at once while it reloads.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** The data loaded last; null before the first time. */
  readonly data: T | null;
  /** The error of the last attempt. */
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** Loads again, while the current data stays visible. */
  readonly reload: () => void;
  /** Changes what is shown, before or instead of loading it. */
  readonly change: (next: (data: T) => T) => void;
}

/** Cached answers by key, each a page or two of data. */
const kept = new Map<string, unknown>();
const MOST_KEPT = 60;

/** @param key identifies the data, such as its address; null: there is nothing to load yet */
export function useLoad<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data: T | null; error: Error | null; isLoading: boolean }>({
    key: null,
    data: null,
    error: null,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks for another try.
  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    setState((before) => ({
      key,
      data: before.key === key ? before.data : ((kept.get(key) as T | undefined) ?? null),
      error: null,
      isLoading: true,
    }));
    latest.current(abort.signal).then(
      (data) => {
        if (abort.signal.aborted) return;
        keep(key, data);
        setState({ key, data, error: null, isLoading: false });
      },
      (err: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({
          ...before,
          error: err instanceof Error ? err : new Error(String(err)),
          isLoading: false,
        }));
      },
    );
    return () => abort.abort();
  }, [key, round]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  const change = useCallback(
    (next: (data: T) => T) =>
      setState((before) => {
        // What was loaded for another key in the meantime is no business of this change.
        if (before.data === null || before.key !== key) return before;
        const data = next(before.data);
        if (before.key !== null) keep(before.key, data);
        return { ...before, data };
      }),
    [key],
  );
  // Until the effect has run, a new key must not show the data of the previous one.
  const current =
    state.key === key ? state : { data: (kept.get(key ?? '') as T | undefined) ?? null, error: null, isLoading: true };
  return { data: current.data, error: current.error, isLoading: current.isLoading, reload, change };
}

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, data);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}

/** Removes cached answers whose key has this prefix, after a change to what they show. */
export function forget(prefix: string): void {
  for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key);
}
