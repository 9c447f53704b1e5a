// Puts a prefix before the names of a component's layers, and before what refers to them.

import { ValidationError } from '../diagnostics.ts';
import type { Calculation } from '../template/calculation.ts';
import { readCalculation } from '../template/calculation.ts';
import { repeatOf } from '../template/check-repeat.ts';
import type { Layer } from '../template/layer.ts';
import { walkLayers } from '../template/template.ts';

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
    throw new ValidationError(
      `${path}.name`,
      `is too long: ${JSON.stringify(whole)} has more than ${MAX_NAME} characters`,
    );
  };
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
    const own = {
      ...layer,
      name: named(name),
      when: typeof when === 'object' && when !== null ? keysNamed(when) : when,
    };
    if (own.type === 'text' && own.calculate !== null) return { ...own, calculate: calculated(own.calculate) };
    if (own.type !== 'frame') return own;
    const children = own.children.map(renamed);
    if (typeof own.repeat !== 'object') return { ...own, children };
    const { empty, separator, alternate } = own.repeat;
    const repeat = {
      ...own.repeat,
      empty: empty === null ? null : named(empty),
      separator: separator === null ? null : named(separator),
      alternate: alternate === null ? null : keysNamed(alternate),
    };
    return { ...own, children, repeat };
  };
  return layers.map(renamed);
}
