// Checks the sums, averages and counts of a template.

import { quoted, ValidationError } from '../diagnostics.ts';
import { readCalculation } from './calculation.ts';
import type { FrameLayer, Layer } from './layer.ts';

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
        const problem = `the entries of ${quoted(asked.list)} have no text ${quoted(asked.layer)}`;
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
