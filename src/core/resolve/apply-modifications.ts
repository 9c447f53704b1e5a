// Applies a caller's modifications to the layers of a template.
//
// A string sets the layer's primary property, a boolean its visibility, an object is a JSON Merge Patch (RFC 7396)
// whose result is validated again. Names that are not in the template have no effect and are reported. A layer without
// changes stays the stored object.

import type { z } from 'zod';
import type { Diagnostic } from '../diagnostics.ts';
import { ValidationError } from '../diagnostics.ts';
import { nearestName } from '../nearest-name.ts';
import { type FrameLayer, LAYER_SCHEMAS, type Layer, PRIMARY_PROPERTY } from '../template/layer.ts';
import { checkDepth, checkPathData, checkTemplate, type Template } from '../template/template.ts';
import { formatPath, validationError } from '../template/validation.ts';

/** Layer name → string, number, boolean or merge patch; as the caller sent it, unchecked. */
export type Modifications = Readonly<Record<string, unknown>>;

/** More keys than this cannot be layers that a person wrote. */
export const MAX_MODIFICATIONS = 200;

type Patch = Readonly<Record<string, unknown>>;

export interface Modified {
  readonly template: Template;
  /** For each layer that is not the stored object. */
  readonly changes: ReadonlyMap<Layer, Change>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Change {
  readonly stored: Layer;
  /** The properties in which the layer may differ from the stored one; null = any. */
  readonly properties: readonly string[] | null;
}

/** @throws ValidationError naming `modifications.<layer>.<property>` when a value does not fit its layer */
export function applyModifications(template: Template, modifications: Modifications): Modified {
  const names = Object.keys(modifications);
  if (names.length === 0) return { template, changes: new Map(), diagnostics: [] };
  if (names.length > MAX_MODIFICATIONS) {
    throw new ValidationError(
      'modifications',
      `must name at most ${MAX_MODIFICATIONS} layers, this names ${names.length}`,
    );
  }

  const values = Object.values(modifications);
  for (const value of values) if (isObject(value)) checkDepth(value.children, 'modifications', 1);
  checkPathData(values, 'modifications');

  const diagnostics: Diagnostic[] = [];
  const changes = new Map<Layer, Change>();
  const pending = new Set(names);
  let structureChanged = false;

  const visit = (layers: Layer[]): Layer[] => {
    const visited = layers.map((stored) => {
      const isNamed = pending.delete(stored.name);
      const change = isNamed ? modify(stored, modifications[stored.name], diagnostics) : unchanged(stored);
      let { layer, properties } = change;
      if (layer.type === 'frame') {
        structureChanged ||= layer.children !== (stored as FrameLayer).children;
        const children = visit(layer.children);
        if (children !== layer.children) {
          layer = { ...layer, children };
          properties = properties && [...properties, 'children'];
        }
      }
      if (layer !== stored) changes.set(layer, { stored, properties });
      return layer;
    });
    return visited.every((layer, i) => layer === layers[i]) ? layers : visited;
  };
  const modified = { ...template, layers: visit(template.layers) };

  // New children may clash with names elsewhere, be too many, or be too deep in the frames around them.
  if (structureChanged) checkTemplate(modified);
  const known = pending.size > 0 ? [...layerNames(modified.layers)] : [];
  for (const name of pending) diagnostics.push(unknownLayer(name, diagnostics.length < MAX_SHOWN ? known : []));
  return { template: modified, changes, diagnostics };
}

function* layerNames(layers: readonly Layer[]): Generator<string> {
  for (const layer of layers) {
    yield layer.name;
    if (layer.type === 'frame') yield* layerNames(layer.children);
  }
}

/** Further oddities are only counted: no caller is shown more warnings (http/warnings.ts). */
const MAX_SHOWN = 20;

/** The warning for a modification that names no layer, with the nearest existing name. */
export function unknownLayer(name: string, known: readonly string[]): Diagnostic {
  const near = nearestName(name, known);
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name);
  return {
    code: 'unknown-layer',
    layer: null,
    message: `The template has no layer ${shown}${near === null ? '.' : `; did you mean ${JSON.stringify(near)}?`}`,
  };
}

interface ModifiedLayer extends Pick<Change, 'properties'> {
  readonly layer: Layer;
}

const unchanged = (layer: Layer): ModifiedLayer => ({ layer, properties: NONE });
const NONE: readonly string[] = [];

function modify(layer: Layer, value: unknown, diagnostics: Diagnostic[]): ModifiedLayer {
  const patch = toPatch(layer, value, diagnostics);
  if (patch === null) return unchanged(layer);
  const path = () => formatPath('modifications', [layer.name]);
  const fixed = changesFixed(layer, patch, 'name') ?? changesFixed(layer, patch, 'type');
  if (fixed !== null) throw new ValidationError(`${path()}.${fixed}`, 'cannot be changed by a modification');
  // Plain text replaces rich text; otherwise setting it would have no visible effect.
  const replacesSpans =
    layer.type === 'text' && layer.spans !== null && Object.hasOwn(patch, 'text') && !Object.hasOwn(patch, 'spans');
  const whole = replacesSpans ? { ...patch, spans: null } : patch;
  const known = knownProperties(layer, whole, diagnostics);
  const changed = parseChanged(layer, known);
  if (changed) return { layer: changed, properties: Object.keys(known) };
  // A frame's children were checked with the template: each of twelve nested frames would check them all again.
  if (layer.type === 'frame' && !Object.hasOwn(known, 'children')) {
    const { children, ...own } = layer;
    const merged = validate(layer, mergePatch(own, known), path(), diagnostics);
    return { layer: { ...merged, children } as FrameLayer, properties: null };
  }
  return { layer: validate(layer, mergePatch(layer, known), path(), diagnostics), properties: null };
}

/** The patch without the properties that the layer does not have, which are reported. */
function knownProperties(layer: Layer, patch: Patch, diagnostics: Diagnostic[]): Patch {
  const { shape } = LAYER_SCHEMAS[layer.type];
  const unknown = Object.keys(patch).filter((key) => !Object.hasOwn(shape, key));
  if (unknown.length === 0) return patch;
  const known: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(patch)) if (Object.hasOwn(shape, key)) known[key] = patch[key];
  for (const key of unknown) diagnostics.push(unknownProperty(layer, [key], Object.keys(shape), diagnostics.length));
  return known;
}

function changesFixed(layer: Layer, patch: Patch, property: 'name' | 'type'): string | null {
  return Object.hasOwn(patch, property) && patch[property] !== layer[property] ? property : null;
}

/**
 * The layer with its changed properties parsed, or null if one of them is invalid. No property's schema depends on
 * another, and those that the caller does not change were parsed with the template: of a layer's seventy properties,
 * most modifications change one.
 */
function parseChanged(layer: Layer, patch: Patch): Layer | null {
  const { shape }: { shape: Readonly<Record<string, z.ZodType>> } = LAYER_SCHEMAS[layer.type];
  const parsed: Record<string, unknown> = { ...layer };
  for (const [key, value] of Object.entries(patch)) {
    if (!Object.hasOwn(shape, key)) return null;
    const merged = isObject(value) ? mergePatch(parsed[key], value) : (value ?? undefined);
    const result = shape[key]?.safeParse(merged);
    if (!result?.success) return null;
    parsed[key] = result.data;
  }
  return parsed as unknown as Layer;
}

/** The merge patch that a modification stands for; null when it does not apply to this layer, which is reported. */
function toPatch(layer: Layer, value: unknown, diagnostics: Diagnostic[]): Patch | null {
  switch (typeof value) {
    case 'boolean':
      return { visible: value };
    case 'string':
    case 'number': {
      const property = PRIMARY_PROPERTY[layer.type];
      if (property !== null) return { [property]: typeof value === 'number' ? decimal(value) : value };
      diagnostics.push({
        code: 'unknown-property',
        layer: layer.name,
        message: `Layer ${JSON.stringify(layer.name)} is a frame and has no text to set; send an object of its properties.`,
      });
      return null;
    }
    case 'object':
      if (value !== null && !Array.isArray(value)) return value as Patch;
      break;
  }
  throw new ValidationError(
    formatPath('modifications', [layer.name]),
    'must be a string, a number, true, false or an object of properties',
  );
}

/** A number such as `1e21` in digits, without an exponent. */
function decimal(value: number): string {
  const plain = String(value);
  return plain.includes('e') ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : plain;
}

/**
 * RFC 7396: objects merge, `null` removes (so the schema's default applies again), all else replaces.
 *
 * Works on objects without a prototype, so that `__proto__` is a name like any other.
 */
function mergePatch(target: unknown, patch: Patch): Record<string, unknown> {
  const merged: Record<string, unknown> = Object.create(null);
  if (isObject(target)) for (const key of Object.keys(target)) merged[key] = target[key];
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? mergePatch(merged[key], value) : value;
  }
  return merged;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the merged layer; properties that it does not have are dropped and reported, anything else is an error. */
function validate(layer: Layer, merged: Record<string, unknown>, path: string, diagnostics: Diagnostic[]): Layer {
  const schema: z.ZodType = LAYER_SCHEMAS[layer.type];
  const first = schema.safeParse(merged, { reportInput: true });
  if (first.success) return first.data as Layer;

  const unknown = first.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  const copies = new Set<unknown>();
  for (const issue of unknown) {
    const owner = issue.path.reduce((value, key) => copied(value, String(key), copies), merged);
    for (const key of issue.keys) {
      delete owner[key];
      diagnostics.push(unknownProperty(layer, [...issue.path, key], [], diagnostics.length));
    }
  }
  const second = unknown.length > 0 ? schema.safeParse(merged, { reportInput: true }) : first;
  if (!second.success) throw validationError(path, second.error.issues);
  return second.data as Layer;
}

/** The object or list at `key` of `owner`, replaced by a copy if it is not one: what the caller sent is not changed. */
function copied(owner: Record<string, unknown>, key: string, copies: Set<unknown>): Record<string, unknown> {
  const value = owner[key];
  if (copies.has(value)) return value as Record<string, unknown>;
  const copy = Array.isArray(value) ? [...value] : Object.assign(Object.create(null), value);
  copies.add(copy);
  owner[key] = copy;
  return copy;
}

/** The warning for a property that a layer does not have. Without `siblings`, no other name is suggested. */
export function unknownProperty(
  layer: Layer,
  path: readonly PropertyKey[],
  siblings: readonly string[],
  before = 0,
): Diagnostic {
  if (before >= MAX_SHOWN) return { code: 'unknown-property', layer: layer.name, message: 'Another unknown property.' };
  const name = formatPath('', path).slice(0, 200);
  const near = nearestName(name, siblings);
  return {
    code: 'unknown-property',
    layer: layer.name,
    message: `Layer ${JSON.stringify(layer.name)} (${layer.type}) has no property ${JSON.stringify(name)}${near === null ? '.' : `; did you mean ${JSON.stringify(near)}?`}`,
  };
}
