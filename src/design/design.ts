// One design, many pictures: a document with a brand, components, a size and a language becomes a plain template. One
// pure step before resolve.
//
// In this order: references to the brand become values; components become frames; layers are placed on the canvas of
// the size; its changes are made; components are filled, as large as their frames are by then; texts are set.

import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { didYouMean } from '#core/nearest-name.ts';
import { isObject } from '#core/resolve/modify-layer.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { OWN_SIZE, type TemplateSize } from '#core/template/size.ts';
import { type Template, walkLayers } from '#core/template/template.ts';
import { formatPath } from '#core/template/validation.ts';
import { atSize } from './at-size.ts';
import { parseBrand, valuesOf } from './brand.ts';
import { changeLayers, changesIn } from './change-layers.ts';
import type { Choice, DesignContext, Designed } from './choice.ts';
import {
  type Component,
  type Components,
  fillComponents,
  modifiedComponents,
  takeOutComponents,
} from './components.ts';
import { inLanguage } from './in-language.ts';
import { type Materials, type Missing, NO_MATERIALS, NotSupplied, Supply } from './materials.ts';
import { type References, references } from './references.ts';

/**
 * @param document as it was stored
 * @param id of the template, which none of its components may be; null = it has none
 * @returns what is missing, when the materials are not all there
 * @throws ValidationError with the path of what is wrong, also of a `size`, `lang` or `brand` that there is not
 */
export function design(
  document: unknown,
  choice: Choice,
  materials: Materials = NO_MATERIALS,
  id: string | null = null,
): Designed | Missing {
  const supply = new Supply(materials);
  try {
    return designed(document, choice, { supply, brand: null, lang: choice.lang, around: [id ?? ''], known: new Map() });
  } catch (error) {
    if (error instanceof NotSupplied && supply.missing) return supply.missing;
    throw error;
  }
}

/** Whether something is missing, rather than made. */
export const isMissing = <Made extends object>(result: Made | Missing): result is Missing => 'brands' in result;

/** @throws NotSupplied; ValidationError */
function designed(given: unknown, choice: Choice, surroundings: DesignContext): Designed {
  if (!isObject(given) || given.engine === 'html') {
    const chosen = Object.keys(choice).at(0);
    if (chosen !== undefined) throw new ValidationError(chosen, 'is for templates of layers; this is one of html');
    return { template: parseAnyTemplate(given), diagnostics: [] };
  }
  const { supply } = surroundings;
  const brand = surroundings.brand ?? choice.brand ?? (typeof given.brand === 'string' ? given.brand : null);
  const branded = brandOf(supply, brand).resolved(given, '');
  const { document, components } = takeOutComponents(branded, supply);
  supply.requireAll();

  // Parameters may name layers of components, which are not there yet.
  const { parameters, ...rest } = document;
  const parsed = parseAnyTemplate(components.size === 0 ? document : rest);
  if (parsed.engine === 'html') throw new ValidationError('engine', 'must be "layers"');
  const diagnostics: Diagnostic[] = [];
  const whole = filled(parsed, choice, components, diagnostics, (component, size) => {
    const nested = nestedTemplate(component, size, { ...surroundings, brand }, designed);
    diagnostics.push(...nested.diagnostics);
    return nested.template;
  });
  const { lang } = surroundings;
  const spoken = lang === undefined ? whole : inLanguage(whole, lang, diagnostics);
  const complete = components.size === 0 || parameters === undefined ? spoken : { ...spoken, parameters };
  return { template: complete as Template, diagnostics };
}

function brandOf(supply: Supply, name: string | null): References {
  if (name === null) return references(null, '');
  const document = supply.brand(name);
  supply.requireAll();
  return references(valuesOf(parseBrand(document)), name);
}

type ContentOf = Parameters<typeof fillComponents>[2];

/** At the size, with its changes, and with all components in their places. */
function filled(
  template: Template,
  { size: name = OWN_SIZE }: Choice,
  components: Components,
  diagnostics: Diagnostic[],
  contentOf: ContentOf,
): Template {
  const size = name === OWN_SIZE ? null : sizeNamed(template.sizes ?? {}, name);
  if (size === null && components.size === 0) return template;
  const { width, height, changes } = size ?? { ...template, changes: {} };
  const sized = size === null ? template : atSize(template, { width, height });
  // What a size changes in a component can only be changed once that is there.
  const names = new Set([...walkLayers(sized.layers)].map(({ layer }) => layer.name));
  const all = [...changesIn(changes, `${formatPath('sizes', [name])}.changes`)];
  const [own, others] = modifiedComponents(components, new Map(all.filter(([of]) => names.has(of))));
  const changed = changeLayers(sized.layers, own, diagnostics);
  const layers = fillComponents(changed, others, contentOf);
  return { ...sized, layers: changeLayers(layers, new Map(all.filter(([of]) => !names.has(of))), diagnostics) };
}

/** @throws ValidationError naming `size` and the nearest */
function sizeNamed(sizes: Readonly<Record<string, TemplateSize>>, name: string): TemplateSize {
  const size = Object.hasOwn(sizes, name) ? sizes[name] : undefined;
  if (size) return size;
  const names = Object.keys(sizes);
  const problem =
    names.length === 0 ? 'the template has no sizes' : `the template has no size ${didYouMean(name, names)}`;
  throw new ValidationError('size', problem);
}

// The template that a component shows, at the size of its frame and with its modifications.

/** How deep components may nest. */
const MAX_NESTED = 4;

interface Nested {
  readonly template: Template;
  readonly diagnostics: readonly Diagnostic[];
}

type Make = (document: unknown, choice: Choice, surroundings: DesignContext) => Designed;

/**
 * @param make the template that it shows, by itself
 * @throws ValidationError at the component, when its template cannot be shown there
 */
function nestedTemplate(component: Component, size: Size, surroundings: DesignContext, make: Make): Nested {
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
  surroundings: DesignContext,
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
