// The schema of `calculate`, with which a text shows the sum, the average or the count of a list.

import { z } from 'zod';
import { ValidationError } from '../diagnostics.ts';
import type { FrameLayer, Layer } from './layer.ts';

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

/**
 * Checks that every calculation names a list beside it or in a frame beside it, and a text in that list.
 *
 * @throws ValidationError naming `layers[3].calculate`
 */
export function checkCalculations(layers: readonly Layer[], path: string): void {
  const lists = new Map(listsIn(layers).map((frame) => [frame.name, frame]));
  const visit = (inner: readonly Layer[], at: string) => {
    for (const [index, layer] of inner.entries()) {
      const where = `${at}[${index}]`;
      if (layer.type === 'frame') {
        if (layer.repeat === false) visit(layer.children, `${where}.children`);
        else checkCalculations(layer.children, `${where}.children`);
      }
      if (layer.type !== 'text' || layer.calculate === null) continue;
      const asked = readCalculation(layer.calculate, new Set(lists.keys()));
      const list = asked && lists.get(asked.list);
      if (!asked || !list) throw new ValidationError(`${where}.calculate`, 'names no frame here that has `repeat`');
      if (asked.layer !== null && !textsIn(list.children).has(asked.layer)) {
        const problem = `the entries of ${JSON.stringify(asked.list)} have no text ${JSON.stringify(asked.layer)}`;
        throw new ValidationError(`${where}.calculate`, problem);
      }
    }
  };
  visit(layers, path);
}

/** The repeating frames among layers, in frames among them, and in each other. */
function listsIn(layers: readonly Layer[]): FrameLayer[] {
  return layers.flatMap((layer) =>
    layer.type === 'frame' ? [...(layer.repeat === false ? [] : [layer]), ...listsIn(layer.children)] : [],
  );
}

function textsIn(layers: readonly Layer[]): ReadonlySet<string> {
  const names = layers.flatMap((layer) =>
    layer.type === 'frame' ? [...textsIn(layer.children)] : layer.type === 'text' ? [layer.name] : [],
  );
  return new Set(names);
}
