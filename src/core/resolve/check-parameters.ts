// Checks the values of a template's parameters against the rules that its author chose.

import { ValidationError } from '../diagnostics.ts';
import type { AnyTemplate } from '../template/any-template.ts';
import { problemOf } from '../template/parameter-rules.ts';
import { layerTypes } from '../template/template.ts';
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
  const types = typesIn(template);
  for (const { layer, label, ...rules } of parameters) {
    const given = Object.hasOwn(modifications, layer) ? modifications[layer] : undefined;
    const problem = problemOf(rules, types.get(layer) ?? 'element', given, purpose === 'preview');
    if (problem === null) continue;
    const name = label === undefined ? '' : `${JSON.stringify(label)} `;
    throw new ValidationError(formatPath('modifications', [layer]), name + problem);
  }
}

const typesOf = new WeakMap<AnyTemplate, ReadonlyMap<string, string>>();

function typesIn(template: AnyTemplate): ReadonlyMap<string, string> {
  let types = typesOf.get(template);
  if (types === undefined) {
    types = template.engine === 'html' ? new Map<string, string>() : layerTypes(template.layers);
    typesOf.set(template, types);
  }
  return types;
}
