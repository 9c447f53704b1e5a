// Finds the run, span or paragraph that contains an offset, by binary search.

/**
 * Index of the last item that starts at or before `offset`; 0 when none does.
 *
 * @param items ascending by `start`; where several start at one offset, all but the last are empty
 */
export function indexAt(items: readonly { readonly start: number }[], offset: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((items[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
