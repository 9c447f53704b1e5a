// The schema of `calculate`, with which a text shows the sum, the average or the count of a list.

import { z } from 'zod';

/** `lines.total`: a list and a layer of its entries. */
const ListLayer = z.string().min(3).max(201);

export const Calculation = z.union(
  [
    z.strictObject({ sum: ListLayer.meta({ description: 'A list and a text of its entries: "lines.total".' }) }),
    z.strictObject({ average: ListLayer }),
    z.strictObject({ count: z.string().min(1).max(100).meta({ description: 'A list: "lines".' }) }),
  ],
  'must be {"sum": "list.layer"}, {"average": "list.layer"} or {"count": "list"}',
);
export type Calculation = z.infer<typeof Calculation>;

/** What a calculation asks for. */
export interface Asked {
  readonly kind: 'sum' | 'average' | 'count';
  readonly list: string;
  /** The layer of each entry; null = the entries are counted. */
  readonly layer: string | null;
}

/**
 * Reads a calculation. Names may contain points, so the list is the longest name of one.
 *
 * @param lists the names of the lists that it may mean
 * @returns null if it names none of them
 */
export function readCalculation(calculation: Calculation, lists: ReadonlySet<string>): Asked | null {
  if ('count' in calculation) {
    return lists.has(calculation.count) ? { kind: 'count', list: calculation.count, layer: null } : null;
  }
  const kind = 'sum' in calculation ? 'sum' : 'average';
  const path = 'sum' in calculation ? calculation.sum : calculation.average;
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const list = path.slice(0, dot);
    if (lists.has(list)) return { kind, list, layer: path.slice(dot + 1) };
  }
  return null;
}
