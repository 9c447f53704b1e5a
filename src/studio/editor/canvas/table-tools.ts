// What the canvas does with tables, fetched apart when a table is first selected: few templates have one.

import { signal } from '@preact/signals';

export type TableTools = typeof import('./table-hands.tsx');

/** null until they are fetched. */
export const tableTools = signal<TableTools | null>(null);

let isAsked = false;

/** Fetches them, unless that has begun. A failed attempt is made again by the next call. */
export function fetchTableTools(): void {
  if (isAsked) return;
  isAsked = true;
  import('./table-hands.tsx').then(
    (tools) => {
      tableTools.value = tools;
    },
    () => {
      isAsked = false;
    },
  );
}
