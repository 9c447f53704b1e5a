// Loads a list page by page.

import { useCallback, useState } from 'preact/hooks';
import { toastError } from '../parts/toast.tsx';
import { type CallOptions, get } from './api.ts';
import type { Page } from './contract.ts';
import { type Loaded, useLoad } from './load.ts';

export interface LoadedList<T, P extends Page<T>> extends Omit<Loaded<P>, 'change'> {
  /** The items loaded so far; null before the first page. */
  readonly items: readonly T[] | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  /** Changes what is shown, before the server has the change. */
  readonly changeItems: (next: (items: readonly T[]) => readonly T[]) => void;
}

export function useList<T, P extends Page<T> = Page<T>>(
  path: string,
  query: CallOptions['query'] = {},
): LoadedList<T, P> {
  const key = `${path}?${JSON.stringify(query)}`;
  const loaded = useLoad<P>(key, () => get<P>(path, query));
  const [isLoadingMore, setLoadingMore] = useState(false);
  const { data, change } = loaded;
  const loadMore = useCallback(async () => {
    if (!data?.next) return;
    setLoadingMore(true);
    try {
      const page = await get<P>(path, { ...JSON.parse(key.slice(path.length + 1)), after: data.next });
      change((before) => ({ ...before, items: [...before.items, ...page.items], next: page.next }));
    } catch (err) {
      toastError(err);
    } finally {
      setLoadingMore(false);
    }
  }, [data?.next, path, key, change]);
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
