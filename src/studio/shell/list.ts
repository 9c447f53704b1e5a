// Loads a list page by page.

import { useCallback, useRef, useState } from 'preact/hooks';
import { toastError } from '../parts/toast.tsx';
import { type CallOptions, get } from './api.ts';
import type { ListPage } from './contract.ts';
import { type Loaded, useLoad } from './load.ts';

export interface LoadedList<T, P extends ListPage<T>> extends Omit<Loaded<P>, 'change'> {
  /** The items loaded so far; null before the first page. */
  readonly items: readonly T[] | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  /** Changes what is shown, before the server has the change. */
  readonly changeItems: (next: (items: readonly T[]) => readonly T[]) => void;
}

/** The most items that the server gives in one page. */
const LONGEST_PAGE = 200;
/** New items do not make a list longer than this when it is loaded again. */
const LONGEST_LIST = 1_000;

export function useList<T extends { readonly id: string }, P extends ListPage<T> = ListPage<T>>(
  path: string,
  query: CallOptions['query'] = {},
): LoadedList<T, P> {
  const key = `${path}?${JSON.stringify(query)}`;
  // What is shown now: one page may arrive while another is on its way.
  const shown = useRef<{ readonly key: string; readonly data: P | null }>({ key, data: null });
  const loaded = useLoad<P>(key, (signal) => loadAsFar<T, P>(path, query, signal, () => shown.current.data));
  const [isLoadingMore, setLoadingMore] = useState(false);
  const { data, change } = loaded;
  shown.current = { key, data };
  const loadMore = useCallback(async () => {
    const end = () => (shown.current.key === key ? shown.current.data?.next : null);
    setLoadingMore(true);
    try {
      for (let after = end(); after; ) {
        const page = await get<P>(path, { ...JSON.parse(key.slice(path.length + 1)), after });
        const now = end();
        if (now === after) {
          change((before) => ({ ...before, items: [...before.items, ...page.items], next: page.next }));
          return;
        }
        // The list was loaded again meanwhile, and ends elsewhere.
        after = now;
      }
    } catch (err) {
      toastError(err);
    } finally {
      setLoadingMore(false);
    }
  }, [path, key, change]);
  const changeItems = useCallback(
    (next: (items: readonly T[]) => readonly T[]) => change((page) => ({ ...page, items: next(page.items) })),
    [change],
  );
  return {
    ...loaded,
    items: data?.items ?? null,
    hasMore: Boolean(data?.next),
    isLoadingMore,
    loadMore: () => void loadMore(),
    changeItems,
  };
}

/** Loads a list down to the last item that is shown, or its first page if no more than that is shown. */
async function loadAsFar<T extends { readonly id: string }, P extends ListPage<T>>(
  path: string,
  query: CallOptions['query'],
  signal: AbortSignal,
  shown: () => P | null,
): Promise<P> {
  const first = await get<P>(path, query);
  for (let { items, next } = first; ; ) {
    const { items: before = [], next: end = null } = shown() ?? {};
    if (before.length <= first.items.length || signal.aborted) return first;
    const last = items.findIndex(({ id }) => id === before.at(-1)?.id);
    if (last >= 0) return { ...first, items: items.slice(0, last + 1), next: end };
    // The last item may be gone, or behind so many new ones that the list would become ever longer.
    const most = Math.max(before.length, Math.min(before.length + first.items.length, LONGEST_LIST));
    if (next === null || items.length >= most) return { ...first, items, next };
    const limit = Math.min(LONGEST_PAGE, most - items.length);
    const page = await get<P>(path, { ...query, limit, after: next });
    items = [...items, ...page.items];
    next = page.next;
  }
}
