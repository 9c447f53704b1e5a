// Puts a prefix before the names of a component's layers, and before what refers to them.

import { quoted, ValidationError } from '#core/diagnostics.ts';
import type { Calculation } from '#core/template/calculation.ts';
import { readCalculation } from '#core/template/calculation.ts';
import { repeatOf } from '#core/template/check-repeat.ts';
import type { Layer } from '#core/template/layer.ts';
import { walkLayers } from '#core/template/template.ts';
import type { TextLayer } from '#core/template/text-layer.ts';

const MAX_NAME = 100;

/**
 * @param path of the component in the document, for messages
 * @throws ValidationError when a name becomes too long
 */
export function prefixNames(layers: readonly Layer[], prefix: string, path: string): Layer[] {
  const lists = new Set(
    [...walkLayers(layers)].flatMap(({ layer }) => (layer.type === 'frame' && repeatOf(layer) ? [layer.name] : [])),
  );
  const named = (name: string): string => {
    const whole = prefix + name;
    if (whole.length <= MAX_NAME) return whole;
    throw new ValidationError(`${path}.name`, `is too long: ${quoted(whole)} has more than ${MAX_NAME} characters`);
  };
  const own = new Set([...walkLayers(layers)].map(({ layer }) => layer.name));
  // Only what is in the component has another name in the document.
  const counted = (spans: TextLayer['spans']) =>
    spans?.map((span) => (span.of !== undefined && own.has(span.of) ? { ...span, of: named(span.of) } : span)) ?? null;
  const calculated = (calculation: Calculation): Calculation => {
    const asked = readCalculation(calculation, lists);
    if (asked === null) return calculation;
    const { kind, list, layer } = asked;
    return (layer === null ? { count: named(list) } : { [kind]: `${named(list)}.${named(layer)}` }) as Calculation;
  };
  const keysNamed = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [named(name), value]));
  const renamed = (layer: Layer): Layer => {
    const { name, when } = layer;
    const copy = {
      ...layer,
      name: named(name),
      when: typeof when === 'object' && when !== null ? keysNamed(when) : when,
    };
    if (copy.type === 'text') {
      const calculate = copy.calculate === null ? null : calculated(copy.calculate);
      return { ...copy, calculate, spans: counted(copy.spans) };
    }
    if (copy.type !== 'frame') return copy;
    const children = copy.children.map(renamed);
    if (typeof copy.repeat !== 'object') return { ...copy, children };
    const { empty, separator, alternate } = copy.repeat;
    const repeat = {
      ...copy.repeat,
      empty: empty === null ? null : named(empty),
      separator: separator === null ? null : named(separator),
      alternate: alternate === null ? null : keysNamed(alternate),
    };
    return { ...copy, children, repeat };
  };
  return layers.map(renamed);
}
