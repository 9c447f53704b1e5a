// Applies one modification to one layer: a string, number or boolean, or a merge patch, whose result is validated.

import type { z } from 'zod';
import { type Diagnostic, quoted, ValidationError } from '../diagnostics.ts';
import { isList, LongList } from '../long-list.ts';
import { type FrameLayer, LAYER_SCHEMAS, type Layer, type LayerType } from '../template/layer.ts';
import { LAYER_TRAITS } from '../template/layer-traits.ts';
import { meantName } from '../template/other-names.ts';
import { parseEntries } from '../template/table-layer.ts';
import { formatPath, validationError } from '../template/validation.ts';
import { templateName } from './repeat.ts';

type Patch = Readonly<Record<string, unknown>>;

/** Further oddities are only counted: no caller is shown more warnings (server/http/middleware/answer.ts). */
export const MAX_SHOWN = 20;

interface ModifiedLayer {
  readonly layer: Layer;
  /** The properties in which it may differ; null = any. */
  readonly properties: readonly string[] | null;
}

export const NONE: readonly string[] = [];

/**
 * Applies one modification to one layer.
 *
 * @param path of the value in the input
 * @throws ValidationError below `path`, when the value does not fit the layer
 */
export function modifyLayer(layer: Layer, value: unknown, path: string, diagnostics: Diagnostic[]): ModifiedLayer {
  const patch = toPatch(layer, value, path, diagnostics);
  if (patch === null) return { layer, properties: NONE };
  const fixed = changesFixed(layer, patch, 'name') ?? changesFixed(layer, patch, 'type');
  if (fixed !== null) throw new ValidationError(`${path}.${fixed}`, 'cannot be changed by a modification');
  const known = knownProperties(layer, patch, diagnostics);
  const changed = parseChanged(layer, known);
  if (changed) return { layer: changed, properties: Object.keys(known) };
  // A frame's children were checked with the template: each of twelve nested frames would check them all again.
  if (layer.type === 'frame' && !Object.hasOwn(known, 'children')) {
    const { children, ...own } = layer;
    const merged = validate(layer, mergePatch(own, known), path, diagnostics);
    return { layer: { ...merged, children } as FrameLayer, properties: null };
  }
  const implied = isList(value) ? LAYER_TRAITS[layer.type].primary : null;
  // As a whole, because that is what messages are about.
  const read = value instanceof LongList && implied !== null ? { ...known, [implied]: [...value] } : known;
  return { layer: validate(layer, mergePatch(layer, read), path, diagnostics, implied), properties: null };
}

/** The patch without the properties that the layer does not have, which are reported. */
function knownProperties(layer: Layer, patch: Patch, diagnostics: Diagnostic[]): Patch {
  const { shape } = LAYER_SCHEMAS[layer.type];
  const unknown = Object.keys(patch).filter((key) => !Object.hasOwn(shape, key));
  if (unknown.length === 0) return patch;
  const known: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(patch)) if (Object.hasOwn(shape, key)) known[key] = patch[key];
  for (const key of unknown) reportUnknown(diagnostics, layer, [key], Object.keys(shape));
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
    if (layer.type === 'table' && key === 'rows' && isList(value)) {
      parsed[key] = parseEntries(value);
      if (parsed[key] === null) return null;
      continue;
    }
    const merged = isObject(value) ? mergePatch(parsed[key], value) : (value ?? undefined);
    const result = shape[key]?.safeParse(merged);
    if (!result?.success) return null;
    parsed[key] = result.data;
  }
  return parsed as unknown as Layer;
}

/** The merge patch that a modification stands for; null when it does not apply to this layer, which is reported. */
function toPatch(layer: Layer, value: unknown, path: string, diagnostics: Diagnostic[]): Patch | null {
  const patch = patchFor(layer, value);
  if (patch !== null) return patch;
  if (typeof value === 'string' || typeof value === 'number') {
    diagnostics.push({
      code: 'unknown-property',
      layer: layer.name,
      message: `Layer ${JSON.stringify(layer.name)} is a frame and has no text to set; send ${
        layer.type === 'frame' && layer.repeat !== false ? 'a list of its entries' : 'an object of its properties'
      }.`,
    });
    return null;
  }
  if (Array.isArray(value) && layer.type === 'frame') {
    throw new ValidationError(path, 'is a list, but the frame does not repeat: give it "repeat": true');
  }
  throw new ValidationError(path, 'must be a string, a number, true, false or an object of properties');
}

/**
 * What a modification sets of a layer, also of a stored one: a plain value its main property, and plain text no styled
 * words beside it, because setting it would otherwise have no visible effect.
 *
 * @returns null when such a layer cannot be modified so
 */
export function patchFor(layer: { readonly type: LayerType; readonly spans?: unknown }, value: unknown): Patch | null {
  const patch = plainPatch(layer.type, value);
  const { primary } = LAYER_TRAITS[layer.type];
  const isPlain = Boolean(layer.spans) && patch !== null && primary !== null;
  const replacesSpans = isPlain && Object.hasOwn(patch, primary) && !Object.hasOwn(patch, 'spans');
  return replacesSpans ? { ...patch, spans: null } : patch;
}

function plainPatch(type: LayerType, value: unknown): Patch | null {
  if (typeof value === 'boolean') return { visible: value };
  const { primary: property, takesList } = LAYER_TRAITS[type];
  if (typeof value === 'string' || typeof value === 'number') {
    return property === null ? null : { [property]: typeof value === 'number' ? decimal(value) : value };
  }
  if (isList(value)) return takesList === 'always' && property !== null ? { [property]: value } : null;
  return typeof value === 'object' && value !== null ? (value as Patch) : null;
}

/** A number such as `1e21` in digits, without an exponent. */
export function decimal(value: number): string {
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses the merged layer; properties that it does not have are dropped and reported, anything else is an error.
 *
 * @param implied the property that the modification is a value of, so that errors do not name it
 */
function validate(
  layer: Layer,
  merged: Record<string, unknown>,
  path: string,
  diagnostics: Diagnostic[],
  implied: string | null = null,
): Layer {
  const schema: z.ZodType = LAYER_SCHEMAS[layer.type];
  // The name of a copy for an entry of a list is longer than a stored one may be.
  const { name } = layer;
  merged.name = templateName(layer);
  const first = schema.safeParse(merged, { reportInput: true });
  if (first.success) return { ...(first.data as Layer), name };

  const unknown = first.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  const copies = new Set<unknown>();
  for (const issue of unknown) {
    const owner = issue.path.reduce((value, key) => copied(value, String(key), copies), merged);
    for (const key of issue.keys) {
      delete owner[key];
      reportUnknown(diagnostics, layer, [...issue.path, key], []);
    }
  }
  const second = unknown.length > 0 ? schema.safeParse(merged, { reportInput: true }) : first;
  if (!second.success) {
    const asGiven = (at: PropertyKey[]) => (implied !== null && at[0] === implied ? at.slice(1) : at);
    throw validationError(
      path,
      second.error.issues.map((issue) => ({ ...issue, path: asGiven(issue.path) })),
    );
  }
  return { ...(second.data as Layer), name };
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

const OTHERS = 'Other unknown properties.';

/** Warns of a property that a layer does not have: by name at first, then once for all that this layer still has. */
function reportUnknown(
  diagnostics: Diagnostic[],
  layer: Layer,
  path: readonly PropertyKey[],
  siblings: readonly string[],
): void {
  if (diagnostics.length < MAX_SHOWN) {
    diagnostics.push(unknownProperty(layer, path, siblings));
    return;
  }
  const last = diagnostics.at(-1);
  if (last?.layer === layer.name && last.message === OTHERS) return;
  diagnostics.push({ code: 'unknown-property', layer: layer.name, message: OTHERS });
}

/** The warning for a property that a layer does not have. Without `siblings`, no other name is suggested. */
export function unknownProperty(layer: Layer, path: readonly PropertyKey[], siblings: readonly string[]): Diagnostic {
  const name = formatPath('', path);
  const near = meantName(name, siblings);
  return {
    code: 'unknown-property',
    layer: layer.name,
    message: `Layer ${JSON.stringify(layer.name)} (${layer.type}) has no property ${quoted(name)}${near === null ? '.' : `; did you mean ${JSON.stringify(near)}?`}`,
  };
}
