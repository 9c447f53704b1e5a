// The document that is edited in a view: as it is stored, with the places, changes and texts of a size and a language.
//
// It is again a document as it is stored: references and components stay, and what does not differ is left out. So every
// tool of the editor works in every view. absorb.ts brings an edit of it back to the stored document.

import type { Layer } from '#core/template/layer.ts';
import { isRightToLeft } from '#core/template/right-to-left.ts';
import { walkLayers } from '#core/template/template.ts';
import { atSize } from '#design/at-size.ts';
import type { Choice } from '#design/choice.ts';
import { lookUp, saysSomething } from '#design/in-language.ts';
import type { RawDocument, RawLayer } from '../document/document.ts';
import { type Fields, sizesOf, textsOf } from '../document/document.ts';
import { parseDocument } from '../document/parse-document.ts';
import type { Designs } from './designs.ts';
import { isSame, merged } from './merge-patch.ts';
import { patchOf, type View } from './view.ts';

export interface Shown {
  readonly document: RawDocument;
  /** By what lengths are scaled at the size. */
  readonly by: number;
  /** Parsed layers by name: on the template's own canvas, and placed at the size without its changes. */
  readonly own: ReadonlyMap<string, Layer>;
  readonly placed: ReadonlyMap<string, Layer>;
}

const NOTHING: ReadonlyMap<string, Layer> = new Map([]);

/**
 * @returns a promise while brands or components are loaded: ask again then
 * @throws ValidationError when the document is no template
 */
export function shownDocument(stored: RawDocument, { size, lang }: View, designs: Designs): Shown | Promise<void> {
  const { sizes, texts: _texts, ...rest } = stored;
  const wanted = size === null ? undefined : sizesOf(stored)[size];
  let sized: Shown = { document: rest as RawDocument, by: 1, own: NOTHING, placed: NOTHING };
  if (wanted) {
    const plain = designs.plain(stored);
    if (plain instanceof Promise) return plain;
    const template = parseDocument(plain);
    const { width, height, changes = {} } = wanted;
    const own = byName(template.layers);
    const placed = byName(atSize(template, { width, height }).layers);
    const by = Math.min(width / template.width, height / template.height);
    const layers = mapLayers(stored.layers ?? [], (layer) => atItsSize(layer, own, placed, changes[layer.name]));
    sized = { document: { ...(rest as RawDocument), width, height, layers }, by, own, placed };
  }
  if (lang === null) return sized;
  return { ...sized, document: inLanguage(sized.document, stored, lang) };
}

const byName = (layers: readonly Layer[]) =>
  new Map([...walkLayers(layers)].map(({ layer }): [string, Layer] => [layer.name, layer]));

/** The last result for each layer, so that one that no edit changes stays the same object. */
const results = new WeakMap<RawLayer, { readonly key: string; readonly layer: RawLayer }>();

function atItsSize(
  raw: RawLayer,
  own: ReadonlyMap<string, Layer>,
  placed: ReadonlyMap<string, Layer>,
  change: unknown,
): RawLayer {
  const [before, after] = [own.get(raw.name), placed.get(raw.name)] as unknown as readonly (Fields | undefined)[];
  const moved: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after ?? {})) {
    if (key !== 'children' && !isSame(before?.[key], value)) moved[key] = value;
  }
  const patch = change === undefined ? null : patchOf(raw, change);
  if (patch === null && Object.keys(moved).length === 0) return raw;
  return kept(raw, JSON.stringify([moved, patch]), () => {
    const layer = { ...raw, ...moved };
    return (patch === null ? layer : merged(layer, patch)) as RawLayer;
  });
}

function kept(raw: RawLayer, key: string, make: () => RawLayer): RawLayer {
  const last = results.get(raw);
  if (last?.key === key) return last.layer;
  const layer = make();
  results.set(raw, { key, layer });
  return layer;
}

const families = new WeakMap<RawLayer, { readonly children: readonly RawLayer[]; readonly layer: RawLayer }>();

/** Every layer mapped, its children too. */
function mapLayers(
  layers: readonly RawLayer[],
  map: (layer: RawLayer, depth: number) => RawLayer,
  depth = 0,
): RawLayer[] {
  return layers.map((raw) => {
    const layer = map(raw, depth);
    if (!raw.children) return layer;
    const children = mapLayers(raw.children, map, depth + 1);
    if (layer.children && sameLayers(children, layer.children)) return layer;
    const last = families.get(layer);
    if (last && sameLayers(last.children, children)) return last.layer;
    const whole = { ...layer, children };
    families.set(layer, { children, layer: whole });
    return whole;
  });
}

const sameLayers = (a: readonly RawLayer[], b: readonly RawLayer[]) =>
  a.length === b.length && a.every((layer, at) => layer === b[at]);

/** The layers with the words and values of a size and a language, where the template's own canvas has them: for forms. */
export function worded(stored: Readonly<Record<string, unknown>>, { size, lang }: Choice): Pick<RawDocument, 'layers'> {
  const document = stored as unknown as RawDocument;
  const changes = (size && sizesOf(document)[size]?.changes) || {};
  const layers = mapLayers(document.layers ?? [], (raw) =>
    Object.hasOwn(changes, raw.name) ? (merged(raw, patchOf(raw, changes[raw.name])) as RawLayer) : raw,
  );
  return lang ? inLanguage({ ...document, layers }, document, lang) : { layers };
}

/** As design/in-language.ts does it with parsed layers. */
function inLanguage(document: RawDocument, stored: RawDocument, lang: string): RawDocument {
  const texts = textsOf(stored);
  const own = typeof stored.lang === 'string' ? stored.lang : undefined;
  const isOwn = own !== undefined && (lookUp(lang, [own]) !== null || lookUp(own, [lang]) !== null);
  const isMirrored = isRightToLeft(lang);
  const layers = mapLayers(document.layers ?? [], (raw, depth) => {
    const byLanguage = Object.hasOwn(texts, raw.name) ? texts[raw.name] : undefined;
    const found = byLanguage ? lookUp(lang, Object.keys(byLanguage)) : null;
    const tag = found !== null && saysSomething(byLanguage?.[found]) ? found : null;
    const patch: Record<string, unknown> = {};
    if (tag !== null) Object.assign(patch, patchOf(raw, byLanguage?.[tag]), raw.type === 'text' ? { lang } : {});
    else if (byLanguage && !isOwn && own !== undefined && raw.type === 'text' && !raw.lang) patch.lang = own;
    if (depth === 0 && isMirrored && raw.type === 'frame' && !raw.direction) patch.direction = 'rtl';
    if (Object.keys(patch).length === 0) return raw;
    return kept(raw, `${lang} ${JSON.stringify(patch)}`, () => merged(raw, patch) as RawLayer);
  });
  return { ...document, lang, layers };
}
