// Describes a render's request for storage, so that its account can see it later and repeat it.
//
// Of a page, only the address without user, query and fragment is kept: those, headers and cookies may hold secrets.

import type { ExportOptions } from '#output/formats.ts';
import type { Asked } from '#storage/render-row.ts';

/** Values whose JSON is longer than this are not kept, in characters. */
const MAX_KEPT = 32 * 1024;

/** The values of a render as they are stored. */
export interface AskedValues {
  readonly modifications: Readonly<Record<string, unknown>>;
  readonly options: ExportOptions;
}

export function askedOfRender(found: { readonly id: string; readonly version: number }, values: AskedValues): Asked {
  const { id, version } = found;
  const { modifications, options } = values;
  const isShort = left(modifications, MAX_KEPT) > 0;
  return { template: { id, version }, values: isShort ? JSON.stringify({ modifications, options }) : null };
}

export function askedOfPage(address: string): Asked {
  const url = URL.parse(address);
  return {
    template: null,
    values: url ? JSON.stringify({ page: `${url.origin}${url.pathname}`.slice(0, 2_000) }) : null,
  };
}

/** Subtracts the approximate JSON length of `value` from `budget`. The result is 0 or less when the value is longer. */
function left(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 3;
  if (typeof value !== 'object' || value === null) return budget - 6;
  let rest = budget - 2;
  for (const [name, inner] of Object.entries(value)) {
    if (rest <= 0) break;
    rest = left(inner, rest - name.length - 4);
  }
  return rest;
}
