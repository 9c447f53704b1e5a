// Edits are functions from a document to a new document. Unchanged parts are shared with the old one.

import { texts } from '../../../texts/editor.ts';
import type { Edit } from './document.ts';
import {
  childrenOf,
  findLayer,
  type Guide,
  layersByName,
  outermost,
  parentOf,
  type RawDocument,
  type RawLayer,
  walk,
} from './document.ts';
import { copyName, freshNames } from './names.ts';
import { renameParameter } from './parameter-edits.ts';
import { forgetLayers, renameInDesign, saidOf, saying } from './said-of-layers.ts';

/** Properties to set; undefined removes a property, so that it has its default. */
export type Patch = Readonly<Record<string, unknown>>;

/** Returns the same object if nothing changes. */
export function patched<T extends Readonly<Record<string, unknown>>>(object: T, patch: Patch): T {
  const changed = Object.entries(patch).filter(([key, value]) => !isSame(object[key], value));
  if (changed.length === 0) return object;
  const result: Record<string, unknown> = { ...object };
  for (const [key, value] of changed) {
    if (value === undefined) delete result[key];
    else result[key] = value;
  }
  return result as T;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

export const setDocument =
  (patch: Patch): Edit =>
  (document) =>
    patched(document, patch);

/** None: the property is left out. */
export const setGuides = (guides: readonly Guide[]): Edit =>
  setDocument({ guides: guides.length > 0 ? guides : undefined });

/** Changes one layer, at any depth. */
export function changeLayer(document: RawDocument, name: string, change: (layer: RawLayer) => RawLayer): RawDocument {
  if (!layersByName(document).has(name)) return document;
  return withLayers(document, changeIn(document.layers ?? [], name, change));
}

const withLayers = (document: RawDocument, layers: readonly RawLayer[]): RawDocument =>
  layers === document.layers ? document : { ...document, layers };

function changeIn(
  layers: readonly RawLayer[],
  name: string,
  change: (layer: RawLayer) => RawLayer,
): readonly RawLayer[] {
  for (const [index, layer] of layers.entries()) {
    const next =
      layer.name === name
        ? change(layer)
        : layer.children
          ? withChildren(layer, changeIn(layer.children, name, change))
          : layer;
    if (next !== layer) return layers.with(index, next);
  }
  return layers;
}

const withChildren = (layer: RawLayer, children: readonly RawLayer[]): RawLayer =>
  children === layer.children ? layer : { ...layer, children };

export const setLayer =
  (name: string, patch: Patch): Edit =>
  (document) =>
    changeLayer(document, name, (layer) => setOn(layer, patch));

const setOn = (layer: RawLayer, patch: Patch): RawLayer => patched(layer, { ...withoutSides(layer, patch), ...patch });

/** A new x or y takes the place of the sides that place a layer: where they are given, x and y have no effect. */
function withoutSides(layer: RawLayer, patch: Patch): Patch {
  const sides = [
    ...(typeof patch.x === 'number' ? ['left', 'right'] : []),
    ...(typeof patch.y === 'number' ? ['top', 'bottom'] : []),
  ];
  return Object.fromEntries(sides.filter((side) => side in layer).map((side) => [side, undefined]));
}

/** Sets properties of several layers, each by its own patch. */
export const setLayers =
  (patches: ReadonlyMap<string, Patch>): Edit =>
  (document) =>
    withLayers(document, setIn(document.layers ?? [], patches));

/** In one pass: of 500 layers, one for each would take 500 as long. */
function setIn(layers: readonly RawLayer[], patches: ReadonlyMap<string, Patch>): readonly RawLayer[] {
  const next = layers.map((layer) => {
    const patch = patches.get(layer.name);
    const changed = patch ? setOn(layer, patch) : layer;
    return changed.children ? withChildren(changed, setIn(changed.children, patches)) : changed;
  });
  return next.every((layer, at) => layer === layers[at]) ? layers : next;
}

/** A frame that gets a layout is as large as what is in it: sides in px would not follow its gaps and its padding. */
export function withLayout({ layout: before, children = [] }: RawLayer, layout: unknown): Patch {
  const hugs = !before && layout !== null && children.length > 0;
  return { layout, ...(hugs && { width: 'hug', height: 'hug' }) };
}

/** Why a layer cannot have this name; null: it can. */
export function renameProblem(document: RawDocument, from: string, to: string): string | null {
  const name = to.trim();
  if (name === '') return texts.value.document.needsName;
  if (name !== from && layersByName(document).has(name)) return texts.value.document.nameTaken(name);
  return null;
}

/** Renames a layer. An empty name, or one that is taken, changes nothing. */
export const renameLayer =
  (from: string, to: string): Edit =>
  (document) => {
    const name = to.trim().slice(0, 100);
    if (name === '' || name === from || layersByName(document).has(name)) return document;
    const renamed = changeLayer(document, from, (layer) => ({ ...layer, name }));
    if (renamed === document) return document;
    return renameInDesign(from, name)(renameParameter(from, name)(renameCounted(from, name)(renamed)));
  };

/**
 * Counters go on showing the page of a layer that gets another name, values within sentences its text, and charts its rows.
 */
const renameCounted =
  (from: string, to: string): Edit =>
  (document) => {
    const patches = Array.from(walk(document.layers)).flatMap(({ layer }): [string, Patch][] => {
      const { name, spans } = layer;
      if (tableOf(layer) === from) return [[name, { from: { ...Object(layer.from), table: to } }]];
      return Array.isArray(spans) ? [[name, { spans: spans.map((span: Patch) => renamedIn(span, from, to)) }]] : [];
    });
    return setLayers(new Map(patches))(document);
  };

/** The table that a chart shows. */
const tableOf = ({ from }: RawLayer): unknown => Object(from).table;

const renamedIn = (span: Patch, from: string, to: string): Patch =>
  patched(span, { ...(span.of === from && { of: to }), ...(span.name === from && { name: to }) });

/** Removes layers, and the parameters of those and of the layers inside. */
export const removeLayers =
  (names: readonly string[]): Edit =>
  (document) => {
    const before = layersByName(document);
    const next = takeOut(names)(document);
    const left = layersByName(next);
    const isGone = (layer: RawLayer) => before.has(String(tableOf(layer))) && !left.has(String(tableOf(layer)));
    const charts = Array.from(left.values(), ({ layer }) => layer).filter(isGone);
    const freed = setLayers(new Map(charts.map(({ name }) => [name, { from: undefined }])))(next);
    return forgetLayers(new Set([...before.keys()].filter((name) => !left.has(name))))(freed);
  };

/** Takes layers out of the tree, to be inserted elsewhere. */
const takeOut =
  (names: readonly string[]): Edit =>
  (document) => {
    const gone = new Set(names);
    const without = (layers: readonly RawLayer[]): readonly RawLayer[] => {
      const kept = layers
        .filter(({ name }) => !gone.has(name))
        .map((layer) => (layer.children ? withChildren(layer, without(layer.children)) : layer));
      return kept.length === layers.length && kept.every((layer, i) => layer === layers[i]) ? layers : kept;
    };
    return document.layers ? withLayers(document, without(document.layers)) : document;
  };

/**
 * Inserts layers into a frame or on the canvas. Their names, and those of their children, are made unique.
 *
 * @param index among the children, back to front; default: in front of all
 */
export function insertLayers(
  document: RawDocument,
  layers: readonly RawLayer[],
  frame: string | null,
  index?: number,
): { readonly document: RawDocument; readonly names: readonly string[] } {
  const fresh = freshNames(layers, new Set(layersByName(document).keys()));
  const at = index ?? childrenOf(document, frame).length;
  const insert = (children: readonly RawLayer[] = []) => children.toSpliced(at, 0, ...fresh);
  const next =
    frame === null
      ? { ...document, layers: insert(document.layers) }
      : changeLayer(document, frame, (layer) => ({ ...layer, children: insert(layer.children) }));
  return { document: next, names: fresh.map(({ name }) => name) };
}

/**
 * Moves layers, in their order, to an index among the children of a frame or the canvas.
 *
 * @param index counted before any layer is taken out
 * @param patches properties that change with the move, such as x and y in the new frame
 */
export const moveLayers =
  (names: readonly string[], frame: string | null, index: number, patches?: ReadonlyMap<string, Patch>): Edit =>
  (document) => {
    const moved = outermost(document, names);
    if (frame !== null && moved.some((name) => name === frame || isInside(document, frame, name))) return document;
    const layers = moved.flatMap((name) => findLayer(document, name) ?? []);
    const siblings = childrenOf(document, frame);
    const before = siblings.slice(0, index).filter(({ name }) => moved.includes(name)).length;
    const isThere =
      layers.length > 0 &&
      layers.every((layer, i) => siblings[index - before + i] === layer) &&
      moved.every((name) => (parentOf(document, name)?.name ?? null) === frame);
    const next = isThere ? document : insertAsTheyAre(takeOut(moved)(document), layers, frame, index - before);
    return patches ? setLayers(patches)(next) : next;
  };

function insertAsTheyAre(document: RawDocument, layers: readonly RawLayer[], frame: string | null, at: number) {
  const insert = (children: readonly RawLayer[] = []) => children.toSpliced(at, 0, ...layers);
  if (frame === null) return { ...document, layers: insert(document.layers) };
  return changeLayer(document, frame, (layer) => ({ ...layer, children: insert(layer.children) }));
}

const isInside = (document: RawDocument, name: string, frame: string): boolean => {
  for (let around = parentOf(document, name); around; around = parentOf(document, around.name)) {
    if (around.name === frame) return true;
  }
  return false;
};

/** Moves layers one step, or all the way, to the front or the back among their siblings. */
export const orderLayers =
  (names: readonly string[], to: 'forward' | 'backward' | 'front' | 'back'): Edit =>
  (document) => {
    const moved = outermost(document, names);
    const inOrder = to === 'forward' || to === 'back' ? [...moved].reverse() : moved;
    return inOrder.reduce((before, name) => {
      const frame = parentOf(before, name)?.name ?? null;
      const siblings = childrenOf(before, frame);
      const at = siblings.findIndex((layer) => layer.name === name);
      const index = { forward: at + 2, backward: at - 1, front: siblings.length, back: 0 }[to];
      const next = siblings[to === 'forward' ? at + 1 : at - 1];
      // A selection moves as a block: its front layer stops at the front, and the others do not pass it.
      if ((to === 'forward' || to === 'backward') && (!next || moved.includes(next.name))) return before;
      return moveLayers([name], frame, Math.max(0, index))(before);
    }, document);
  };

export function duplicateLayers(
  document: RawDocument,
  names: readonly string[],
  offset: { readonly x: number; readonly y: number } = { x: 0, y: 0 },
): { readonly document: RawDocument; readonly names: readonly string[] } {
  const copies: string[] = [];
  let next = document;
  for (const name of outermost(document, names)) {
    const placed = layersByName(next).get(name);
    if (!placed) continue;
    const { layer, parent, index } = placed;
    const taken = new Set(layersByName(next).keys());
    const copy = { ...layer, name: copyName(layer.name, taken), ...moved(layer, offset) };
    const inserted = insertLayers(next, [copy], parent?.name ?? null, index + 1);
    const names = namesOfCopies([layer], inserted);
    next = saying(saidOf(document, new Set(names.keys())), names)(inserted.document);
    copies.push(...inserted.names);
  }
  return { document: next, names: copies };
}

/** The names of layers that were inserted, and of what is in them, by their names before. */
export function namesOfCopies(
  layers: readonly RawLayer[],
  { document, names }: ReturnType<typeof insertLayers>,
): ReadonlyMap<string, string> {
  const all = (layer: RawLayer, copy: RawLayer): readonly (readonly [string, string])[] => [
    [layer.name, copy.name],
    ...(layer.children ?? []).flatMap((child, i) => all(child, copy.children?.[i] ?? child)),
  ];
  return new Map(layers.flatMap((layer, i) => all(layer, findLayer(document, names[i] ?? '') ?? layer)));
}

function moved(layer: RawLayer, { x, y }: { readonly x: number; readonly y: number }): Patch {
  if (x === 0 && y === 0) return {};
  return { x: Number(layer.x ?? 0) + x, y: Number(layer.y ?? 0) + y };
}
