// Decides whether somebody with limited rights may turn one document into another: only texts and pictures, or anything
// but certain layers, or anything.
//
// The server checks each save with it, and the editor each edit, so both refuse the same. Documents are drafts, so they
// need not be valid; what is not understood is refused unless it is unchanged.

import { quoted } from '#core/diagnostics.ts';
import { traitsOf } from '#core/template/layer-traits.ts';

/**
 * `all`: everything but locked layers. `texts-and-pictures`: the words of texts, in each language that the template has,
 * and which pictures are shown.
 */
export const EDIT_RIGHTS = ['all', 'texts-and-pictures'] as const;

export interface EditRights {
  readonly rights: (typeof EDIT_RIGHTS)[number];
  /** Names of layers that stay as they are, with what is in them. Layers that the document locks stay too. */
  readonly locked: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

interface Placed {
  readonly layer: Json;
  /** Names of the frames around it, outermost first. */
  readonly around: string;
}

/** A sentence about the first change that the rights do not allow; null = all changes are allowed. */
export function refusedChange(before: unknown, after: unknown, rights: EditRights): string | null {
  if (before === after) return null;
  if (!isObject(before) || !isObject(after)) return 'The document must stay an object with layers.';
  const added = addedMaterial(before, after);
  if (added !== null) return added;
  return rights.rights === 'all'
    ? changedLock(before, after, new Set(rights.locked))
    : changedDesign(before, after, new Set(rights.locked));
}

/** Whether the rights let a layer's text or picture be changed. `around`: the layer and the frames around it. */
export function mayChangeContent(around: readonly Json[], { locked }: EditRights): boolean {
  return (
    contentOf(around[0]).length > 0 &&
    around.every((layer) => layer.locked !== true && !locked.includes(String(layer.name)))
  );
}

/** Of `texts-and-pictures`: the first difference that is neither. */
function changedDesign(before: Json, after: Json, locked: ReadonlySet<string>): string | null {
  const other = differentKey(before, after, ['layers', 'texts', 'sizes']);
  if (other !== null) return `Only texts and pictures may be changed here, not the template’s ${quote(other)}.`;
  const changed = changedLayers(before.layers, after.layers, locked, false);
  if (changed !== null || (before.texts === after.texts && before.sizes === after.sizes)) return changed;
  const open = new Map([...openLayers(before.layers, locked)].map((layer) => [String(layer.name), layer]));
  return changedTexts(before, after, open) ?? changedSizes(before.sizes, after.sizes, open);
}

const contentOf = (layer: Json | undefined): readonly string[] => traitsOf(layer?.type)?.content ?? [];

function* openLayers(layers: unknown, locked: ReadonlySet<string>): Generator<Json> {
  if (!Array.isArray(layers)) return;
  for (const layer of layers) {
    if (!isObject(layer) || layer.locked === true || locked.has(String(layer.name))) continue;
    yield layer;
    yield* openLayers(layer.children, locked);
  }
}

type Open = ReadonlyMap<string, Json>;

/** Of `texts`: words may be added and changed in the languages that the template has. */
function changedTexts(before: Json, after: Json, open: Open): string | null {
  const [was, is] = [objectOf(before.texts), objectOf(after.texts)];
  const languages = new Set([before.lang, ...Object.values(was).flatMap((one) => Object.keys(objectOf(one)))]);
  for (const [name, had, has] of differences(was, is)) {
    for (const [lang, text, now] of differences(objectOf(had), objectOf(has))) {
      if (!languages.has(lang))
        return `Texts may be changed here only in the template’s languages, not in ${quote(lang)}.`;
      const refused = changedContent(open.get(name), name, text, now);
      if (refused !== null) return refused;
    }
  }
  return null;
}

/** Of `sizes`: the content that a size changes. */
function changedSizes(before: unknown, after: unknown, open: Open): string | null {
  for (const [size, was, is] of differences(objectOf(before), objectOf(after))) {
    if (!isObject(was) || !isObject(is) || differentKey(was, is, ['changes']) !== null) {
      return `Only texts and pictures may be changed here, not the size ${quote(size)}.`;
    }
    for (const [name, change, now] of differences(objectOf(was.changes), objectOf(is.changes))) {
      const refused = changedContent(open.get(name), name, change, now);
      if (refused !== null) return refused;
    }
  }
  return null;
}

/** Of a change of a layer, in a language or a size: a text, or an object of properties. */
function changedContent(layer: Json | undefined, name: string, before: unknown, after: unknown): string | null {
  if (!layer) return `The layer ${quote(name)} is locked.`;
  const content = contentOf(layer);
  const patchOf = (change: unknown): Json => {
    if (isObject(change)) return change;
    return { [typeof change === 'boolean' ? 'visible' : (content[0] ?? 'value')]: change };
  };
  const [was, is] = [patchOf(before), patchOf(after)];
  const other = differentKey(was, is, content);
  if (other !== null)
    return `Only texts and pictures may be changed here, not ${quote(other)} of the layer ${quote(name)}.`;
  const styled = [layer.spans, was.spans].flatMap((spans) => (Array.isArray(spans) ? spans : []));
  return areStylesKept(styled, is.spans)
    ? null
    : `Only the words of ${quote(name)} may be changed here, not their styles.`;
}

function changedLayers(before: unknown, after: unknown, locked: ReadonlySet<string>, isAround: boolean): string | null {
  if (before === after) return null;
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) {
    return 'Only texts and pictures may be changed here: layers can be neither added nor removed.';
  }
  for (const [i, layer] of before.entries()) {
    const refused = changedLayer(layer, after[i], locked, isAround);
    if (refused !== null) return refused;
  }
  return null;
}

function changedLayer(before: unknown, after: unknown, locked: ReadonlySet<string>, isAround: boolean): string | null {
  if (before === after) return null;
  if (!isObject(before) || !isObject(after)) return 'Each layer must stay an object.';
  const name = quote(before.name);
  const isLocked = isAround || before.locked === true || locked.has(String(before.name));
  const content = isLocked ? [] : contentOf(before);
  const other = differentKey(before, after, [...content, 'children']);
  if (other !== null) {
    return isLocked
      ? `The layer ${name} is locked.`
      : `Only texts and pictures may be changed here, not ${quote(other)} of the layer ${name}.`;
  }
  if (content.includes('spans') && !areStylesKept(before.spans, after.spans)) {
    return `Only the words of ${name} may be changed here, not their styles.`;
  }
  return changedLayers(before.children, after.children, locked, isLocked);
}

/** Whether each span is styled as one was before, or not at all. */
function areStylesKept(before: unknown, after: unknown): boolean {
  if (after === undefined || after === null || isSame(before, after)) return true;
  if (!Array.isArray(after)) return false;
  const styles = [{}, ...(Array.isArray(before) ? before.filter(isObject) : [])];
  return after.every((span) => isObject(span) && styles.some((style) => differentKey(style, span, ['text']) === null));
}

/** Of `all`: the first locked layer that is changed, in a language or a size too, moved into another frame, or gone. */
function changedLock(before: Json, after: Json, named: ReadonlySet<string>): string | null {
  const wanted = [...placed(before.layers)].filter(
    ({ layer }) => layer.locked === true || named.has(String(layer.name)),
  );
  if (wanted.length === 0) return null;
  const now = Map.groupBy(placed(after.layers), ({ layer }) => layer.name);
  for (const { layer, around } of wanted) {
    const [found, ...others] = now.get(layer.name) ?? [];
    if (!found || others.length > 0 || found.around !== around || !isSame(layer, found.layer)) {
      return `The layer ${quote(layer.name)} is locked.`;
    }
  }
  const locked = new Set(
    wanted.flatMap(({ layer }) => [layer, ...[...placed(layer.children)].map((one) => one.layer)]),
  );
  for (const { name } of locked) {
    if (areChangesKept(before, after, String(name))) continue;
    return `The layer ${quote(name)} is locked.`;
  }
  return null;
}

/** Whether a layer says the same in all languages, and is changed in no size but as in one before, which may be renamed. */
function areChangesKept(before: Json, after: Json, name: string): boolean {
  if (!isSame(objectOf(before.texts)[name], objectOf(after.texts)[name])) return false;
  const changeIn = (size: unknown) => objectOf(objectOf(size).changes)[name];
  const was = objectOf(before.sizes);
  const known = [undefined, ...Object.values(was).map(changeIn)];
  return Object.entries(objectOf(after.sizes)).every(([size, one]) =>
    Object.hasOwn(was, size)
      ? isSame(changeIn(was[size]), changeIn(one))
      : known.some((change) => isSame(change, changeIn(one))),
  );
}

function* placed(layers: unknown, around = ''): Generator<Placed> {
  if (!Array.isArray(layers)) return;
  for (const layer of layers) {
    if (!isObject(layer)) continue;
    yield { layer, around };
    yield* placed(layer.children, `${around}/${JSON.stringify(layer.name)}`);
  }
}

/**
 * What a document shows of its account beside itself: a brand, other templates, and pages that the server captures. An
 * edit brings in no other.
 */
export function addedMaterial(before: unknown, after: unknown): string | null {
  const [had, has] = [new Set<string>(), new Set<string>()];
  collect(before, had);
  collect(after, has);
  const added = [...has].find((one) => !had.has(one));
  if (added === undefined) return null;
  return `This document may not use ${quote(added)}, which it did not use before.`;
}

function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    if (value.startsWith('screenshot:')) into.add(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, into);
  else if (isObject(value)) {
    for (const key of ['brand', 'template']) if (typeof value[key] === 'string') into.add(value[key]);
    for (const item of Object.values(value)) collect(item, into);
  }
}

/** What differs between two objects, by key. */
function* differences(before: Json, after: Json): Generator<readonly [string, unknown, unknown]> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!isSame(before[key], after[key])) yield [key, before[key], after[key]];
  }
}

/** The first key, beside `except`, under which two objects differ; null = they are the same. */
function differentKey(before: Json, after: Json, except: readonly string[]): string | null {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!except.includes(key) && !isSame(before[key], after[key])) return key;
  }
  return null;
}

/** Whether two JSON values are equal. A property that is undefined counts as absent. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  return isObject(a) && isObject(b) && !Array.isArray(b) && differentKey(a, b, []) === null;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

const quote = (value: unknown) => quoted(String(value));
