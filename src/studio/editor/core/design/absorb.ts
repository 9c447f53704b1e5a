// Brings an edit of the document that a view shows back to the stored document.
//
// Which layers there are, and in which order, is the same in all sizes. What differs of a layer is stored with the size
// (`apart`), or set for all sizes, in lengths of the template's own canvas. Words are those of the language.

import type { Layer } from '#core/template/layer.ts';
import { scaleLayer, tidy } from '#design/scale-layer.ts';
import {
  type Fields,
  layersByName,
  outermost,
  type Placed,
  parentOf,
  type RawDocument,
  type RawLayer,
  sizesOf,
  textsOf,
} from '../document/document.ts';
import { changeLayer, setDocument } from '../document/edits.ts';
import { forgetLayers } from '../document/said-of-layers.ts';
import { isSame, patchBetween } from './merge-patch.ts';
import type { Shown } from './shown-document.ts';
import { withChange, withSize } from './size-edits.ts';
import { patchOf, type View } from './view.ts';

/** What a text says, which each language has for itself. */
const WORDS: readonly string[] = ['text', 'spans'];

/**
 * @param after the shown document after the edit
 * @param apart whether what is changed is for the size only; `own-words`: only words that the size has for itself, as they are
 *   with true as well
 */
export function absorbed(
  stored: RawDocument,
  shown: Shown,
  after: RawDocument,
  view: View,
  apart: boolean | 'own-words',
): RawDocument {
  const before = shown.document;
  if (after === before) return stored;
  const [was, is] = [layersByName(before), layersByName(after)];
  const gone = [...was.keys()].filter((name) => !is.has(name));
  const fresh = [...is.keys()].filter((name) => !was.has(name));
  let next = withHead(stored, before, after, view);
  if (apart === true && view.size !== null && gone.length > 0 && fresh.length === 0) {
    // A layer that is deleted in one size is there in the others.
    for (const name of outermost(before, gone)) next = withChange(next, view.size, name, 'visible', false);
  } else if (gone.length > 0 || fresh.length > 0 || !isSameOrder(was, is)) {
    next = rebuilt(next, after, shown, view);
    if (gone.length > 0) next = forgetLayers(new Set(gone))(next);
  }
  for (const [name, { layer }] of is) {
    const earlier = was.get(name)?.layer;
    if (!earlier || earlier === layer) continue;
    const isMoved = parentOf(before, name)?.name !== parentOf(after, name)?.name;
    for (const key of new Set([...Object.keys(earlier), ...Object.keys(layer)])) {
      if (key === 'children' || isSame(earlier[key], layer[key])) continue;
      // In another frame, a place of the one before means nothing in any size.
      // Words are those of all sizes, but for the words that a size has for itself.
      const isOfSize = WORDS.includes(key) ? apart !== false && hasWords(stored, view, layer) : apart === true;
      const isApart = isOfSize && !(isMoved && (key === 'x' || key === 'y'));
      next = withProperty(next, shown, view, isApart, name, key, layer[key]);
    }
  }
  return next;
}

function isSameOrder(was: ReadonlyMap<string, Placed>, is: ReadonlyMap<string, Placed>): boolean {
  const before = [...was];
  return [...is].every(([name, { parent, index }], at) => {
    const [known, placed] = before[at] ?? [];
    return known === name && placed?.parent?.name === parent?.name && placed?.index === index;
  });
}

/** Whether a size has words of a layer for itself. */
function hasWords(stored: RawDocument, { size }: View, layer: RawLayer): boolean {
  const changes = size === null ? {} : (sizesOf(stored)[size]?.changes ?? {});
  return Object.hasOwn(changes, layer.name) && WORDS.some((key) => key in patchOf(layer, changes[layer.name]));
}

function withHead(stored: RawDocument, before: RawDocument, after: RawDocument, { size, lang }: View): RawDocument {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => key !== 'layers' && !(key === 'lang' && lang !== null) && !isSame(before[key], after[key]),
  );
  const ofSize = (['width', 'height'] as const).filter((key) => size !== null && keys.includes(key));
  const others = keys.filter((key) => !ofSize.some((side) => side === key));
  const next = setDocument(Object.fromEntries(others.map((key) => [key, after[key]])))(stored);
  if (size === null || ofSize.length === 0) return next;
  return withSize(next, size, (one) => ({ ...one, ...Object.fromEntries(ofSize.map((key) => [key, after[key]])) }));
}

/** The layers in the order of `after`, each as it is stored; new ones as they would be on the template's own canvas. */
function rebuilt(stored: RawDocument, after: RawDocument, shown: Shown, { size }: View): RawDocument {
  const known = layersByName(stored);
  const across = stored.width / after.width;
  const down = stored.height / after.height;
  const added: RawLayer[] = [];
  const own = (layer: RawLayer, isTop: boolean): RawLayer => {
    const before = known.get(layer.name)?.layer;
    const children = layer.children?.map((child) => own(child, false));
    if (before) return children ? { ...before, children } : before;
    if (size === null) return children ? { ...layer, children } : layer;
    added.push(layer);
    const { children: _children, ...alone } = layer;
    const scaled = scaleLayer({ ...alone, children: [] } as unknown as Layer, 1 / shown.by) as unknown as RawLayer;
    const { children: _none, ...rest } = scaled;
    const place = isTop ? { x: tidy(Number(layer.x ?? 0) * across), y: tidy(Number(layer.y ?? 0) * down) } : {};
    return { ...rest, ...place, ...(children && { children }) } as RawLayer;
  };
  let next: RawDocument = { ...stored, layers: (after.layers ?? []).map((layer) => own(layer, true)) };
  if (size === null) return next;
  // In the size where it was drawn, a layer is where it was drawn.
  for (const layer of added) {
    for (const key of ['x', 'y', 'width', 'height']) {
      if (typeof layer[key] === 'number') next = withChange(next, size, layer.name, key, layer[key]);
    }
  }
  return next;
}

function withProperty(
  stored: RawDocument,
  shown: Shown,
  view: View,
  apart: boolean,
  name: string,
  key: string,
  value: unknown,
): RawDocument {
  const layer = layersByName(stored).get(name)?.layer;
  if (!layer) return stored;
  const { size, lang } = view;
  if (lang !== null && lang !== stored.lang) {
    if (key === 'lang') return stored;
    const known = textsOf(stored)[name]?.[lang];
    const isOfLanguage = layer.type === 'text' && WORDS.includes(key);
    if (isOfLanguage || (known !== undefined && key in patchOf(layer, known))) {
      return withText(stored, layer, lang, key, value);
    }
  }
  if (size === null) return withOwn(stored, name, key, value);
  if (apart) {
    const placed = (shown.placed.get(name) as unknown as Fields | undefined)?.[key] ?? layer[key];
    // As it is without a change, so there is none.
    return withChange(
      stored,
      size,
      name,
      key,
      isSame(placed, value) ? undefined : (patchBetween(placed, value) ?? null),
    );
  }
  const next = withOwn(stored, name, key, value === undefined ? value : ownLength(shown, layer, key, value));
  return withChange(next, size, name, key, undefined);
}

const withOwn = (stored: RawDocument, name: string, key: string, value: unknown): RawDocument =>
  changeLayer(stored, name, (layer) => {
    if (value !== undefined) return { ...layer, [key]: value };
    const { [key]: _gone, ...rest } = layer;
    return rest as RawLayer;
  });

/** A value at the size, as it is on the template's own canvas. */
function ownLength({ by, own, placed }: Shown, layer: RawLayer, key: string, value: unknown): unknown {
  const before = (own.get(layer.name) as unknown as Fields | undefined)?.[key];
  const after = (placed.get(layer.name) as unknown as Fields | undefined)?.[key];
  const areNumbers = typeof value === 'number' && typeof before === 'number' && typeof after === 'number';
  if (areNumbers && (key === 'x' || key === 'y')) return tidy(before + (value - after) / by);
  if (areNumbers && before !== after && after !== 0) return tidy((value * before) / after);
  // Layers with constraints are not scaled.
  if (layer.constraints !== undefined) return value;
  const scaled = scaleLayer({ type: layer.type, name: layer.name, [key]: value } as unknown as Layer, 1 / by);
  return (scaled as unknown as Fields)[key];
}

function withText(stored: RawDocument, layer: RawLayer, lang: string, key: string, value: unknown): RawDocument {
  const texts = textsOf(stored);
  const before = texts[layer.name]?.[lang];
  const patch: Fields = { ...(before === undefined ? {} : patchOf(layer, before)), [key]: value ?? null };
  // Plain words take the place of styled ones, which a text without them does not name.
  const { spans, ...plain } = patch;
  const short = spans === null ? plain : patch;
  const isText = Object.keys(short).length === 1 && typeof short.text === 'string';
  return {
    ...stored,
    texts: { ...texts, [layer.name]: { ...texts[layer.name], [lang]: isText ? short.text : short } },
  };
}
