// Checks the values of a template's parameters against the rules that its author chose.

import { quoted, ValidationError } from '../diagnostics.ts';
import type { AnyTemplate } from '../template/any-template.ts';
import type { Layer } from '../template/layer.ts';
import { problemOf } from '../template/parameter-rules.ts';
import { formatPath } from '../template/validation.ts';
import type { Modifications } from './apply-modifications.ts';

/**
 * What values are for. `render`: a picture that somebody gets, so all rules apply. `preview`: values may still be missing.
 * `design`: the template is tried out, and no rules apply.
 */
export type Purpose = 'render' | 'preview' | 'design';

/** @throws ValidationError naming `modifications.<layer>` and the parameter's label */
export function checkParameters(template: AnyTemplate, modifications: Modifications, purpose: Purpose): void {
  const { parameters } = template;
  if (parameters === undefined || purpose === 'design') return;
  const layers = layersIn(template);
  for (const { layer, label, ...rules } of parameters) {
    const { type = 'element', lists = [] } = layers.get(layer) ?? {};
    for (const { value, path } of valuesGiven(layer, lists, modifications, 'modifications')) {
      const problem = problemOf(rules, type, value, purpose === 'preview');
      if (problem === null) continue;
      const name = label === undefined ? '' : `${quoted(label)} `;
      throw new ValidationError(path, name + problem);
    }
  }
}

interface Given {
  /** undefined = none. */
  readonly value: unknown;
  readonly path: string;
}

/** The value of a layer in the modifications, or in each entry of the lists around it. */
function valuesGiven(layer: string, [list, ...inner]: readonly string[], values: Modifications, path: string): Given[] {
  const entries = list === undefined || !Object.hasOwn(values, list) ? null : values[list];
  if (list !== undefined && Array.isArray(entries)) {
    return entries.flatMap((entry, index) => {
      const where = formatPath(path, [list, index]);
      return typeof entry === 'object' && entry !== null ? valuesGiven(layer, inner, entry, where) : [];
    });
  }
  const value = Object.hasOwn(values, layer) ? values[layer] : undefined;
  return [{ value, path: formatPath(path, [layer]) }];
}

interface KnownLayer {
  readonly type: string;
  /** The names of the repeating frames that it is in, the outer first. */
  readonly lists: readonly string[];
}

const known = new WeakMap<AnyTemplate, ReadonlyMap<string, KnownLayer>>();

function layersIn(template: AnyTemplate): ReadonlyMap<string, KnownLayer> {
  let layers = known.get(template);
  if (layers === undefined) {
    layers = new Map(template.engine === 'html' ? [] : knownLayers(template.layers, []));
    known.set(template, layers);
  }
  return layers;
}

function* knownLayers(layers: readonly Layer[], lists: readonly string[]): Generator<[string, KnownLayer]> {
  for (const layer of layers) {
    yield [layer.name, { type: layer.type, lists }];
    if (layer.type !== 'frame') continue;
    yield* knownLayers(layer.children, layer.repeat === false ? lists : [...lists, layer.name]);
  }
}
