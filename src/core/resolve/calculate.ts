// Calculates sums, averages and counts over the entries of lists, in decimal arithmetic.

import { addDecimals, averageText, type Decimal, decimalText, parseDecimal, ZERO } from '../decimal.ts';
import { quoted, ValidationError } from '../diagnostics.ts';
import { type Asked, readCalculation } from '../template/calculation.ts';
import type { Layer } from '../template/layer.ts';
import type { TextLayer } from '../template/text-layer.ts';
import { templateName } from './repeat.ts';

/** Of each frame that shows a list: the layers of every entry, also of those beyond its `max`. */
export type Entries = ReadonlyMap<Layer, readonly (readonly Layer[])[]>;

/**
 * The texts of the layers among `layers` that calculate, without those in lists and those whose list was not given.
 *
 * @param withoutValue texts that count nothing
 * @param pathOf the path of a layer in the caller's input
 * @throws ValidationError below that path, when a value to add is not a number
 */
export function calculatedTexts(
  layers: readonly Layer[],
  entries: Entries,
  withoutValue: ReadonlySet<Layer>,
  pathOf: (layer: Layer) => string,
): ReadonlyMap<TextLayer, string> {
  const texts = new Map<TextLayer, string>();
  const lists = new Map<string, (readonly Layer[])[]>();
  for (const layer of walkEntries(layers, entries)) {
    const own = entries.get(layer);
    if (own) lists.set(templateName(layer), [...(lists.get(templateName(layer)) ?? []), ...own]);
  }
  const names = new Set(lists.keys());
  const visit = (inner: readonly Layer[]) => {
    for (const layer of inner) {
      if (layer.type === 'frame' && !entries.has(layer)) visit(layer.children);
      if (layer.type !== 'text' || layer.calculate === null) continue;
      const asked = readCalculation(layer.calculate, names);
      if (asked) texts.set(layer, calculated(asked, lists.get(asked.list) ?? [], entries, withoutValue, pathOf));
    }
  };
  visit(layers);
  return texts;
}

function calculated(
  { kind, layer: name }: Asked,
  list: readonly (readonly Layer[])[],
  entries: Entries,
  withoutValue: ReadonlySet<Layer>,
  pathOf: (layer: Layer) => string,
): string {
  if (kind === 'count') return String(list.length);
  let [sum, count] = [ZERO, 0];
  for (const layer of walkEntries(list.flat(), entries)) {
    if (layer.type !== 'text' || templateName(layer) !== name || layer.text.trim() === '') continue;
    if (withoutValue.has(layer)) continue;
    sum = addDecimals(sum, numberIn(layer, kind, pathOf));
    count += 1;
  }
  if (kind === 'sum') return decimalText(sum);
  return averageText(sum, count);
}

function numberIn(layer: TextLayer, kind: string, pathOf: (layer: Layer) => string): Decimal {
  const value = parseDecimal(layer.text);
  if (value) return value;
  const shown = quoted(layer.text, 40);
  throw new ValidationError(
    `${pathOf(layer)}.text`,
    `must be a number such as 12.5, for the ${kind}; this is ${shown}`,
  );
}

/** All layers in `layers`, with those of entries that are not shown. */
function* walkEntries(layers: readonly Layer[], entries: Entries): Generator<Layer> {
  for (const layer of layers) {
    yield layer;
    if (layer.type !== 'frame') continue;
    const own = entries.get(layer);
    if (own) for (const entry of own) yield* walkEntries(entry, entries);
    else yield* walkEntries(layer.children, entries);
  }
}

/** Whether any of the layers, or of those in frames that do not repeat, calculates. */
export function hasCalculations(layers: readonly Layer[]): boolean {
  let known = calculating.get(layers);
  if (known === undefined) {
    known = layers.some((layer) =>
      layer.type === 'frame'
        ? layer.repeat === false && hasCalculations(layer.children)
        : layer.type === 'text' && layer.calculate !== null,
    );
    calculating.set(layers, known);
  }
  return known;
}

const calculating = new WeakMap<readonly Layer[], boolean>();
