// The template that a component shows, at the size of its frame and with its modifications.

import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import type { Template } from '#core/template/template.ts';
import { atSize } from './at-size.ts';
import { changeLayers, changesIn } from './change-layers.ts';
import type { Choice, Designed, Surroundings } from './choice.ts';
import type { Component } from './components.ts';

/** How deep components may nest. */
const MAX_NESTED = 4;

interface Nested {
  readonly template: Template;
  readonly diagnostics: readonly Diagnostic[];
}

type Make = (document: unknown, choice: Choice, surroundings: Surroundings) => Designed;

/**
 * @param make the template that it shows, by itself
 * @throws ValidationError at the component, when its template cannot be shown there
 */
export function nestedTemplate(component: Component, size: Size, surroundings: Surroundings, make: Make): Nested {
  const { path, name, template: reference } = component;
  const [id = ''] = reference.split('@');
  const { around } = surroundings;
  const where = `${path}.template`;
  if (around.includes(id)) throw new ValidationError(where, 'is a template that this stands in: none may show itself');
  if (around.length > MAX_NESTED) throw new ValidationError(where, `components may nest at most ${MAX_NESTED} deep`);
  const known = ownTemplate(component, { ...surroundings, around: [...around, id] }, where, make);
  if (known.template.engine === 'html') throw new ValidationError(where, 'must be a template of layers');
  const { width, height } = known.template;
  const sized = size.width === width && size.height === height ? known.template : atSize(known.template, size);
  const diagnostics = [...known.diagnostics];
  const changes = changesIn(component.modifications, `${path}.modifications`);
  const layers = changeLayers(sized.layers, changes, diagnostics);
  return { template: { ...sized, layers }, diagnostics: diagnostics.map((one) => within(name, one)) };
}

/** As it is by itself; once for all components that show it. */
function ownTemplate(
  { template: reference, size }: Component,
  surroundings: Surroundings,
  where: string,
  make: Make,
): Designed {
  const { known, supply } = surroundings;
  const key = JSON.stringify([reference, size, surroundings.brand]);
  const found = known.get(key);
  if (found) return found;
  try {
    const made = make(supply.template(reference), size === undefined ? {} : { size }, surroundings);
    known.set(key, made);
    return made;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(where, `cannot be shown: ${error.message}`);
  }
}

const within = (name: string, { layer, message, ...rest }: Diagnostic): Diagnostic => ({
  ...rest,
  layer: layer === null ? name : `${name}/${layer}`,
  message: `In ${JSON.stringify(name)}: ${message}`,
});
