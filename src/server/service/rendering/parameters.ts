// Turns `name=value` pairs, as in a signed URL's query or after `--set`, into modifications.
//
// A name is that of a layer, or `layer.property`. Their order does not matter: a pair that names a property wins over
// one that sets the whole layer.

import type { z } from 'zod';
import type { Diagnostic } from '#core/diagnostics.ts';
import { type Modifications, unknownLayer } from '#core/resolve/apply-modifications.ts';
import { conditionsOf } from '#core/resolve/condition.ts';
import { unknownProperty } from '#core/resolve/modify-layer.ts';
import { isHtmlProperty, unknownHtmlProperty } from '#core/resolve/resolve-html.ts';
import type { AnyTemplate } from '#core/template/any-template.ts';
import { htmlLayerNames } from '#core/template/html-template.ts';
import { LAYER_SCHEMAS, type Layer } from '#core/template/layer.ts';
import { LAYER_TRAITS, type ParameterKind } from '#core/template/layer-traits.ts';
import { walkLayers } from '#core/template/template.ts';
import type { NamedValue } from './signed-url.ts';

/**
 * One warning for each name that is neither a layer of the template nor `layer.property`, with the nearest name that is.
 * None for an html template with scripts, whose layers are only known when it runs.
 */
export function unknownParameters(template: AnyTemplate, names: readonly string[]): Diagnostic[] {
  if (template.engine === 'html') return template.script ? [] : unknownHtmlParameters(template.html, names);
  const { layers, names: asked } = conditionsOf(template);
  return names.flatMap((name): Diagnostic[] => {
    if (asked.has(name)) return [];
    const [owner, property] = splitParameter(name, (layer) => layers.has(layer));
    if (owner === null) return [unknownParameter(name, [...layers.keys(), ...asked])];
    const layer = layers.get(owner);
    const properties = layer === undefined ? [] : Object.keys(LAYER_SCHEMAS[layer.type].shape);
    if (!layer || property === null || properties.includes(property)) return [];
    return [unknownProperty(layer, [property], properties)];
  });
}

function unknownHtmlParameters(html: string, names: readonly string[]): Diagnostic[] {
  const layers = htmlLayerNames(html);
  return names.flatMap((name): Diagnostic[] => {
    const [owner, property] = splitParameter(name, (layer) => layers.has(layer));
    if (owner === null) return [unknownParameter(name, [...layers])];
    return property === null || isHtmlProperty(property) ? [] : [unknownHtmlProperty(owner, property)];
  });
}

/** The layer, or null where there is none, and the property, or null where the name is the layer's own. */
function splitParameter(name: string, isLayer: (name: string) => boolean): [string | null, string | null] {
  if (isLayer(name)) return [name, null];
  const dot = name.lastIndexOf('.');
  return dot >= 0 && isLayer(name.slice(0, dot)) ? [name.slice(0, dot), name.slice(dot + 1)] : [null, null];
}

/** For `titel.color`, `title.color` is suggested too. */
function unknownParameter(name: string, layers: readonly string[]): Diagnostic {
  const dot = name.lastIndexOf('.');
  const properties = dot < 0 ? [] : layers.map((layer) => layer + name.slice(dot));
  return unknownLayer(name, [...layers, ...properties]);
}

export function toModifications(template: AnyTemplate, parameters: readonly NamedValue[]): Modifications {
  if (template.engine === 'html') return toHtmlModifications(htmlLayerNames(template.html), parameters);
  const layers = new Map<string, Layer>();
  for (const { layer } of walkLayers(template.layers)) layers.set(layer.name, layer);

  // No prototype, so that `__proto__` is an ordinary name.
  const modifications: Record<string, unknown> = Object.create(null);
  const patches = new Map<Layer, [property: string, value: string][]>();
  for (const [name, value] of parameters) {
    const dot = name.lastIndexOf('.');
    const owner = layers.has(name) || dot < 0 ? undefined : layers.get(name.slice(0, dot));
    if (!owner) modifications[name] = isVisibility(layers.get(name), value) ? value === 'true' : value;
    else patches.set(owner, [...(patches.get(owner) ?? []), [name.slice(dot + 1), value]]);
  }

  for (const [layer, properties] of patches) {
    const patch: Record<string, unknown> = Object.create(null);
    const { primary } = LAYER_TRAITS[layer.type];
    const whole = modifications[layer.name];
    if (whole !== undefined && primary !== null) patch[primary] = whole;
    for (const [property, value] of properties) patch[property] = convert(layer, property, value);
    modifications[layer.name] = patch;
  }
  return modifications;
}

/**
 * Whether `true` or `false` sets a layer's visibility. Not for layers where the word could be text, a value or a code:
 * those take `layer.visible=false`.
 */
function isVisibility(layer: Layer | undefined, value: string): boolean {
  if (layer === undefined || (value !== 'true' && value !== 'false')) return false;
  const kinds: readonly ParameterKind[] = LAYER_TRAITS[layer.type].parameters;
  return !kinds.includes('paragraph');
}

/** For an html template: a name that is not a property of an existing layer sets a layer's own value. */
function toHtmlModifications(layers: ReadonlySet<string>, parameters: readonly NamedValue[]): Modifications {
  const modifications: Record<string, unknown> = Object.create(null);
  const byProperty: [layer: string, property: string, value: string][] = [];
  for (const [name, value] of parameters) {
    const dot = name.lastIndexOf('.');
    if (layers.has(name) || dot < 0 || !layers.has(name.slice(0, dot))) modifications[name] = value;
    else byProperty.push([name.slice(0, dot), name.slice(dot + 1), value]);
  }
  for (const [layer, property, value] of byProperty) {
    const before = modifications[layer];
    const patch: Record<string, unknown> = Object.create(null);
    if (typeof before === 'string') patch.value = before;
    else Object.assign(patch, before);
    patch[property] = value === 'true' || value === 'false' ? value === 'true' : value;
    modifications[layer] = patch;
  }
  return modifications;
}

/**
 * Keeps the text where the property accepts text; otherwise returns the number or boolean that it spells.
 *
 * A text that fits neither way is left for the layer's own validation, whose error names the path.
 */
function convert(layer: Layer, property: string, text: string): unknown {
  const shape: Readonly<Record<string, z.ZodType>> = LAYER_SCHEMAS[layer.type].shape;
  const schema = Object.hasOwn(shape, property) ? shape[property] : undefined;
  if (!schema || schema.safeParse(text).success) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return JSON_NUMBER.test(text) ? Number(text) : text;
}

/** RFC 8259, section 6. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
