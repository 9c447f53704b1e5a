// What is kept of a request when its render is over, so that its account can see it and have it done again.
//
// Of a page only its address without user, query and fragment: these, its headers and its cookies may hold secrets.

import type { ExportOptions } from '#output/formats.ts';
import type { Asked } from '#storage/render-row.ts';

/** More than this is not kept, characters. */
const MAX_KEPT = 32 * 1024;

/** The values of a render as they are kept. */
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

/** Of `budget` characters, what is left after the JSON of `value`, about; not above 0 when it is longer. */
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
