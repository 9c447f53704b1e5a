// Makes the layers of each entry of a list: copies of a repeating frame's children, which are then modified by the entry.
//
// The copies of a frame's children are kept as long as the children are, so that later stages recognise those that no
// entry changes.

import type { FrameLayer, Layer } from '../template/layer.ts';
import { type RepeatOptions, repeatOf } from '../template/repeat.ts';

/** The name in the template of a copied layer, by which an entry addresses it. */
const templateNames = new WeakMap<Layer, string>();

export const templateName = (layer: Layer): string => templateNames.get(layer) ?? layer.name;

/** Gives a changed layer the name in the template that `layer` has. */
export function keepTemplateName(changed: Layer, layer: Layer): void {
  const name = templateNames.get(layer);
  if (name !== undefined) templateNames.set(changed, name);
}

/** By a frame's children: their copies for each entry so far. */
const kept = new WeakMap<readonly Layer[], Layer[][]>();

/**
 * The children of a repeating frame for the entry at `index`, with names such as `lines[3].total`. The one for empty
 * lists is not among them.
 */
export function entryLayers(frame: FrameLayer, index: number): readonly Layer[] {
  let copies = kept.get(frame.children);
  if (!copies) {
    copies = [];
    kept.set(frame.children, copies);
  }
  let copy = copies[index];
  if (!copy) {
    const empty = repeatOf(frame)?.empty;
    copy = frame.children
      .filter((child) => templateName(child) !== empty)
      .map((child) => renamed(child, `${frame.name}[${index}].`));
    copies[index] = copy;
  }
  return copy;
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
