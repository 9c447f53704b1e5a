// Components: takes them out of a document before it is parsed, as frames, and fills these when their sizes are known.

import { quoted, ValidationError } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { isObject } from '#core/resolve/modify-layer.ts';
import { readOfList, withNames } from '#core/template/calculation.ts';
import { isListed } from '#core/template/check-repeat.ts';
import { ComponentLayer } from '#core/template/component-layer.ts';
import { formatOptions, needsCurrency } from '#core/template/format.ts';
import type { FrameLayer, Layer } from '#core/template/layer.ts';
import { ROW_PARTS, type TableLayer, withCalculations } from '#core/template/table-layer.ts';
import { checkDepth, MAX_LAYERS, type Template, walkLayers } from '#core/template/template.ts';
import type { TextLayer } from '#core/template/text-layer.ts';
import { formatPath, parse } from '#core/template/validation.ts';
import type { Changes } from './change-layers.ts';
import type { Supply } from './materials.ts';

/** A component of a document, and where it stands there. */
export interface Component extends ComponentLayer {
  readonly path: string;
}

/** Components of one template. */
const MAX_COMPONENTS = 100;

/** Components by the names of the frames that stand for them. */
export type Components = ReadonlyMap<string, Component>;

/**
 * Replaces the components of a document by frames without children, each of the size that its template has.
 *
 * @throws ValidationError when a component does not fit its schema
 */
export function takeOutComponents(
  document: unknown,
  supply: Pick<Supply, 'template'>,
): { readonly document: Readonly<Record<string, unknown>>; readonly components: Components } {
  const components = new Map<string, Component>();
  const visit = (layers: readonly unknown[], path: string): readonly unknown[] => {
    const visited = layers.map((layer, index) => {
      const where = formatPath(path, [index]);
      if (!isObject(layer)) return layer;
      if (layer.type === 'template') return frameFor(addComponent(components, layer, where), supply);
      if (!Array.isArray(layer.children)) return layer;
      const children = visit(layer.children, `${where}.children`);
      return children === layer.children ? layer : { ...layer, children };
    });
    return visited.every((layer, i) => layer === layers[i]) ? layers : visited;
  };
  const whole = isObject(document) ? document : {};
  if (!Array.isArray(whole.layers)) return { document: whole, components };
  checkDepth(whole.layers, 'layers', 0);
  const layers = visit(whole.layers, 'layers');
  return { document: layers === whole.layers ? whole : { ...whole, layers }, components };
}

function addComponent(components: Map<string, Component>, layer: unknown, path: string): Component {
  const component = { ...parse(ComponentLayer, layer, path), path };
  if (components.has(component.name)) {
    throw new ValidationError(`${path}.name`, 'is already the name of another component; names must be unique');
  }
  if (components.size >= MAX_COMPONENTS) {
    throw new ValidationError(path, `a template may have at most ${MAX_COMPONENTS} components`);
  }
  components.set(component.name, component);
  return component;
}

/** A frame as large as the component, or as its template; 1 px where that is still missing. */
function frameFor(component: Component, supply: Pick<Supply, 'template'>) {
  const { path, template, size, modifications: _, ...common } = component;
  const document = supply.template(template);
  const { sizes, ...canvas } = isObject(document) ? document : {};
  const own = isObject(sizes) && size !== undefined && Object.hasOwn(sizes, size) ? sizes[size] : canvas;
  const side = (name: 'width' | 'height') =>
    common[name] === 'hug' ? Number(isObject(own) ? own[name] : 1) || 1 : common[name];
  return { ...common, type: 'frame', width: side('width'), height: side('height'), clip: true };
}

/** Takes the modifications of components out of the changes of a size. @returns the other changes, and the components */
export function modifiedComponents(components: Components, changes: Changes): readonly [Changes, Components] {
  if (components.size === 0) return [changes, components];
  const others = new Map(changes);
  const modified = new Map(components);
  for (const [name, component] of components) {
    const change = changes.get(name);
    if (!change || !isObject(change.value) || !isObject(change.value.modifications)) continue;
    const { modifications, ...value } = change.value;
    others.set(name, { ...change, value });
    modified.set(name, { ...component, modifications: { ...component.modifications, ...modifications } });
  }
  return [others, modified];
}

/**
 * Fills the frames of components.
 *
 * @param contentOf the template of a component at the size of its frame
 * @throws ValidationError when all together have too many layers
 */
export function fillComponents(
  layers: Layer[],
  components: Components,
  contentOf: (component: Component, size: Size) => Template,
): Layer[] {
  if (components.size === 0) return layers;
  let left = MAX_LAYERS - [...walkLayers(layers)].length;
  const visit = (of: Layer[]): Layer[] =>
    of.map((layer) => {
      if (layer.type !== 'frame') return layer;
      const component = components.get(layer.name);
      if (!component) return { ...layer, children: visit(layer.children) };
      const size = { width: Math.max(1, Number(layer.width)), height: Math.max(1, Number(layer.height)) };
      const content = contentOf(component, size);
      left -= [...walkLayers(content.layers)].length;
      if (left < 0) {
        throw new ValidationError(
          component.path,
          `with this component the template has more than ${MAX_LAYERS} layers`,
        );
      }
      return { ...layer, background: content.background, children: childrenOf(content, component) } as FrameLayer;
    });
  return visit(layers);
}

/** The layers of a component, with the language and the currency that its template has. */
function childrenOf({ layers, lang, currency }: Template, { name, path }: Component): Layer[] {
  const localised = (layer: Layer): Layer => {
    if (layer.type === 'frame') return { ...layer, children: layer.children.map(localised) };
    if (layer.type !== 'text') return layer;
    const { format } = layer;
    const isPriced = format !== null && currency !== undefined && needsCurrency(format);
    return {
      ...layer,
      lang: layer.lang ?? lang ?? null,
      format: isPriced ? ({ ...formatOptions(format), currency } as typeof format) : format,
    };
  };
  return prefixNames(layers, `${name}/`, path).map(localised);
}

// Puts a prefix before the names of a component's layers, and before what refers to them.

const MAX_NAME = 100;

/**
 * @param path of the component in the document, for messages
 * @throws ValidationError when a name becomes too long
 */
function prefixNames(layers: readonly Layer[], prefix: string, path: string): Layer[] {
  const lists = new Set([...walkLayers(layers)].flatMap(({ layer }) => (isListed(layer) ? [layer.name] : [])));
  const named = (name: string): string => {
    const whole = prefix + name;
    if (whole.length <= MAX_NAME) return whole;
    throw new ValidationError(`${path}.name`, `is too long: ${quoted(whole)} has more than ${MAX_NAME} characters`);
  };
  const own = new Set([...walkLayers(layers)].map(({ layer }) => layer.name));
  // Only what is in the component has another name in the document.
  const counted = (spans: TextLayer['spans']) =>
    spans?.map(({ name, of, ...span }) => ({
      ...span,
      ...(name !== undefined && { name: ownName(name) }),
      ...(of !== undefined && { of: ownName(of) }),
    })) ?? null;
  const ownName = (name: string): string => (own.has(name) ? named(name) : name);
  const calculated = (path: string): string => {
    const found = readOfList(path, (name) => lists.has(name));
    if (found === null) return ownName(path);
    // The values of a table are no layers.
    return `${named(found.list)}.${own.has(found.layer) ? named(found.layer) : found.layer}`;
  };
  // Other names in a table are those of its values.
  const ofList = (path: string): string => (readOfList(path, (name) => lists.has(name)) ? calculated(path) : path);
  const inTable = (table: TableLayer): TableLayer => ({
    ...table,
    ...Object.fromEntries(ROW_PARTS.map((part) => [part, withCalculations(table[part], ofList)])),
    totals: table.totals && { ...table.totals, of: ownName(table.totals.of) },
  });
  const keysNamed = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [named(name), value]));
  const inRepeat = (repeat: FrameLayer['repeat']): FrameLayer['repeat'] => {
    if (typeof repeat !== 'object') return repeat;
    const { empty, separator, alternate } = repeat;
    return {
      ...repeat,
      empty: empty === null ? null : named(empty),
      separator: separator === null ? null : named(separator),
      alternate: alternate === null ? null : keysNamed(alternate),
    };
  };
  const renamed = (layer: Layer): Layer => {
    const { name, when } = layer;
    const copy = {
      ...layer,
      name: named(name),
      when: typeof when === 'object' && when !== null ? keysNamed(when) : when,
    };
    switch (copy.type) {
      case 'text':
        return { ...copy, calculate: withNames(copy.calculate, calculated), spans: counted(copy.spans) };
      case 'qr':
      case 'barcode':
        return { ...copy, spans: counted(copy.spans) };
      case 'table':
        return inTable(copy);
      case 'frame':
        return { ...copy, children: copy.children.map(renamed), repeat: inRepeat(copy.repeat) };
      case 'chart':
        return { ...copy, from: copy.from && { ...copy.from, table: ownName(copy.from.table) } };
      case 'image':
      case 'shape':
        return copy;
    }
  };
  return layers.map(renamed);
}
