// Cuts long lists to the rows that the canvas shows: laying out fifty thousand rows would stop the page for seconds after
// each key. Rendered files have all rows.

import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { type RawDocument, walk } from '../document/document.ts';

/** Rows of a list that the canvas shows. */
const SHOWN = 500;

/** A list of which the canvas shows the first rows only. */
export interface CutList {
  readonly layer: string;
  readonly shown: number;
  readonly all: number;
}

/** The same rows for the same list, which what is kept of the last picture depends on. */
const kept = new WeakMap<readonly unknown[], Modifications[string]>();

/** The values with the first rows of long lists, of tables and of frames that repeat. */
export function firstRows(document: RawDocument, values: Modifications) {
  const cut: CutList[] = [];
  let next = values;
  for (const { layer } of walk(document.layers)) {
    const rows = values[layer.name] ?? layer.rows;
    if (!/^(table|frame)$/.test(layer.type) || !Array.isArray(rows) || rows.length <= SHOWN) continue;
    const first = kept.get(rows) ?? rows.slice(0, SHOWN);
    kept.set(rows, first);
    next = { ...next, [layer.name]: first };
    cut.push({ layer: layer.name, shown: SHOWN, all: rows.length });
  }
  return { values: next, cut };
}
