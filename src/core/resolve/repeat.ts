// Makes the layers of each entry of a list: copies of a repeating frame's children, which are then modified by the entry.
//
// Copies are kept for later renders, up to a limit, so that later stages recognise those that no entry changes.

import { LruCache } from '../lru-cache.ts';
import { repeatOf } from '../template/check-repeat.ts';
import type { FrameLayer, Layer } from '../template/layer.ts';
import type { RepeatOptions } from '../template/repeat.ts';

/** The name in the template of a copied layer, by which an entry addresses it. */
const templateNames = new WeakMap<Layer, string>();

export const templateName = (layer: Layer): string => templateNames.get(layer) ?? layer.name;

/** Gives a changed layer the name in the template that `layer` has. */
export function keepTemplateName(changed: Layer, layer: Layer): void {
  const name = templateNames.get(layer);
  if (name !== undefined) templateNames.set(changed, name);
}

/** The copies of a frame's children for each entry so far, and how many layers these are. */
interface Copies {
  readonly entries: (readonly Layer[])[];
  layers: number;
}

/** How many copied layers are kept of all templates: with its node, one takes some 5 KB. */
const KEPT_LAYERS = 3_000;
/** By a frame's children. */
const kept = new LruCache<readonly Layer[], Copies>(KEPT_LAYERS);

/**
 * The children of a repeating frame for the entry at `index`, with names such as `lines[3].total`. The one for empty
 * lists is not among them.
 */
export function entryLayers(frame: FrameLayer, index: number): readonly Layer[] {
  const copies = kept.get(frame.children) ?? { entries: [], layers: 0 };
  let copy = copies.entries[index];
  if (!copy) {
    const empty = repeatOf(frame)?.empty;
    copy = frame.children
      .filter((child) => templateName(child) !== empty)
      .map((child) => renamed(child, `${frame.name}[${index}].`));
    copies.entries[index] = copy;
    copies.layers += countLayers(copy);
    kept.set(frame.children, copies, copies.layers);
  }
  return copy;
}

function countLayers(layers: readonly Layer[]): number {
  return layers.reduce((sum, layer) => sum + 1 + (layer.type === 'frame' ? countLayers(layer.children) : 0), 0);
}

function renamed(layer: Layer, prefix: string): Layer {
  const key = templateName(layer);
  const copy = { ...layer, name: prefix + key };
  // The names in a list within a list begin with that of its own frame, once its entries are known.
  if (copy.type === 'frame') copy.children = copy.children.map((child) => renamed(child, prefix));
  templateNames.set(copy, key);
  return copy;
}

/** The children of a frame that are shown while it has no list: all but those for empty lists and between entries. */
export function shownChildren(frame: FrameLayer): readonly Layer[] {
  const roles = repeatOf(frame);
  return roles ? frame.children.filter((child) => !isSetAside(roles, templateName(child))) : frame.children;
}

const isSetAside = ({ empty, separator }: RepeatOptions, name: string) => name === empty || name === separator;
