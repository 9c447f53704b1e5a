// Decides the conditions of layers (`when`) by the values of a request.

import { isList } from '../long-list.ts';
import { namesInCalculation } from '../template/calculation.ts';
import type { Condition } from '../template/condition.ts';
import { namesInTexts } from '../template/format.ts';
import type { Layer } from '../template/layer.ts';
import { LAYER_TRAITS } from '../template/layer-traits.ts';
import { askedOutside } from '../template/table-layer.ts';
import { type Template, walkLayers } from '../template/template.ts';

/** The place of an entry in its list. */
export interface Place {
  readonly index: number;
  readonly count: number;
}

/**
 * Whether a condition holds.
 *
 * @param own the name in the template of the layer that has it
 * @param place null outside lists
 * @param valueFor the value of a name: undefined = there is none
 */
export function holds(
  condition: NonNullable<Condition>,
  own: string,
  place: Place | null,
  valueFor: (name: string) => unknown,
): boolean {
  if (typeof condition === 'object') {
    return Object.entries(condition).every(([name, wanted]) => {
      const value = valueFor(name);
      if (typeof wanted === 'object' && !Array.isArray(wanted)) return isSet(value) === (wanted.is === 'set');
      // As text, because every value is one in a URL.
      return [wanted].flat().some((one) => String(one) === String(value));
    });
  }
  const { index, count } = place ?? { index: 0, count: 1 };
  switch (condition) {
    case 'set':
      return isSet(valueFor(own));
    case 'empty':
      return !isSet(valueFor(own));
    case 'first':
      return index === 0;
    case 'last':
      return index === count - 1;
    case 'odd':
      return index % 2 === 0;
    case 'even':
      return index % 2 === 1;
  }
}

function isSet(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false;
}

/** The value that a modification gives a layer; undefined = none, such as with a patch of its colour. */
export function valueIn(modification: unknown, layer: Layer | undefined): unknown {
  if (typeof modification !== 'object' || modification === null || isList(modification)) return modification;
  const { visible } = modification as { readonly visible?: unknown };
  if (visible === false) return false;
  const primary = layer === undefined ? null : LAYER_TRAITS[layer.type].primary;
  return primary === null ? undefined : (modification as Readonly<Record<string, unknown>>)[primary];
}

/** The value of a layer as the template has it. */
export function storedValue(layer: Layer | undefined): unknown {
  if (layer === undefined) return undefined;
  if (!layer.visible) return false;
  const primary = LAYER_TRAITS[layer.type].primary;
  if (layer.type === 'text' && layer.spans !== null) return layer.spans.map(({ text }) => text).join('');
  // A frame is what is in it.
  return primary === null ? true : layer[primary as keyof Layer];
}

/** The names whose values a layer shows, or calculates with. */
function namesShown(layer: Layer): readonly string[] {
  switch (layer.type) {
    case 'text':
      return [...namesInTexts(layer.spans), ...namesInCalculation(layer.calculate)];
    case 'qr':
    case 'barcode':
      return namesInTexts(layer.spans);
    case 'table':
      return [...askedOutside(layer)];
    case 'image':
    case 'shape':
    case 'frame':
    case 'chart':
      return [];
  }
}

interface Conditions {
  /** All layers by name. */
  readonly layers: ReadonlyMap<string, Layer>;
  /** The names that conditions, calculations and texts ask for. */
  readonly names: ReadonlySet<string>;
  /** Whether any layer has a condition. */
  readonly areAny: boolean;
}

const known = new WeakMap<readonly Layer[], Conditions>();

/** What the conditions of a template depend on. */
export function conditionsOf({ layers }: Pick<Template, 'layers'>): Conditions {
  let conditions = known.get(layers);
  if (!conditions) {
    const all = [...walkLayers(layers)].map(({ layer }) => layer);
    const names = all.flatMap((layer) => {
      const { when } = layer;
      const asked = typeof when === 'object' && when !== null ? Object.keys(when) : [];
      return [...asked, ...namesShown(layer)];
    });
    conditions = {
      layers: new Map(all.map((layer) => [layer.name, layer])),
      names: new Set(names),
      areAny: all.some(({ when }) => when !== null),
    };
    known.set(layers, conditions);
  }
  return conditions;
}
