// The items of the library, and what a click or a drop does with each: applies it to the selection, or inserts it.
// Components are swapped and detached here too. Loaded when first used.

import { ValidationError } from '#core/diagnostics.ts';
import type { Point } from '#core/geometry.ts';
import { boxesAt } from '#core/layout/located-boxes.ts';
import { LAYER_SCHEMAS, type LayerType } from '#core/template/layer.ts';
import { referencesIn } from '#design/references-in.ts';
import { texts } from '../../../texts/editor.ts';
import { isOwn } from '../design/view.ts';
import {
  type Fields,
  findLayer,
  type RawDocument,
  type RawLayer,
  sizesOf,
  textsOf,
  walk,
} from '../document/document.ts';
import { changeLayer, setLayer, setLayers } from '../document/edits.ts';
import { mainColorOf } from '../document/layer-colors.ts';
import { pictureless } from '../scene/compositor.ts';
import { selectedTexts, styleText } from './actions.ts';
import { brandOf, isReference, resolved } from './brand-names.ts';
import type { EditorState } from './editor-state.ts';
import { insertImage, insertNew } from './insert-new.ts';

/** What cannot be done here, in a sentence for whoever tried. */
class Refusal extends Error {}

function tellWhy({ host }: EditorState, error: unknown): void {
  const isSaid = error instanceof Refusal || error instanceof ValidationError;
  if (isSaid) host.tell(error.message, { tone: 'bad' });
  else host.tellError(error);
}

export type LibraryItem =
  /** `reference` is `tpl_…@version`. */
  | { readonly kind: 'component'; readonly reference: string; readonly name: string }
  | {
      readonly kind: 'picture';
      readonly src: string;
      readonly size?: { readonly width: number; readonly height: number };
    }
  /** A CSS colour, or `$name` of the brand's, as the two below. */
  | { readonly kind: 'color'; readonly color: string }
  | { readonly kind: 'text-style'; readonly style: string }
  | { readonly kind: 'logo'; readonly src: string }
  | { readonly kind: 'font'; readonly family: string };

/**
 * Uses an item of the library; says what there is to do first where it is of no use now.
 *
 * @param at where it was dropped, canvas px; null = for what is selected, or in the middle of the canvas
 */
export async function addItem(editor: EditorState, item: LibraryItem, at: Point | null): Promise<void> {
  try {
    if (item.kind === 'component') await insertComponent(editor, item, at);
    else if (item.kind === 'picture' || item.kind === 'logo') addPicture(editor, item, at);
    else if (item.kind === 'color') addColor(editor, item.color, at);
    else if (item.kind === 'text-style') addTextStyle(editor, item.style, at);
    else addFont(editor, item.family, at);
  } catch (error) {
    tellWhy(editor, error);
  }
}

/** The front layer of the template at a point that may be changed; null = there is none. */
function frontAt(editor: EditorState, at: Point): RawLayer | null {
  const under = boxesAt(editor.picture.peek()?.boxes ?? [], at).map(({ name }) => editor.layer(name));
  return under.find((layer) => layer !== null && !editor.isLocked(layer.name)) ?? null;
}

/** The layers that an item is for: the front one at the point if it `fits`, otherwise the selected ones that do. */
function targets(editor: EditorState, at: Point | null, fits: (layer: RawLayer) => boolean): readonly RawLayer[] {
  if (at === null) return editor.selectedLayers.peek().filter((layer) => fits(layer) && !editor.isLocked(layer.name));
  const front = frontAt(editor, at);
  return front && fits(front) ? [front] : [];
}

function addPicture(
  editor: EditorState,
  item: Extract<LibraryItem, { kind: 'picture' | 'logo' }>,
  at: Point | null,
): void {
  const picture = editor.picture.peek();
  const empty = picture ? pictureless(picture) : new Set<string>();
  const [place] = targets(editor, at, (layer) => layer.type === 'image' && empty.has(layer.name));
  if (place) editor.showPicture(place.name, item.src);
  else if (item.kind === 'picture') insertImage(editor, item.src, at, item.size);
  // All of it is shown, whatever its sides.
  else insertImage(editor, item.src, at, { width: 240, height: 120 }, { name: item.src.slice(1), fit: 'contain' });
}

function addColor(editor: EditorState, color: string, at: Point | null): void {
  if (at === null && editor.chosenWords.peek()) {
    styleText(editor, { color });
    return;
  }
  const layers = targets(editor, at, (layer) => mainColorOf(layer) !== null);
  const patches = layers.map((layer) => [layer.name, { [mainColorOf(layer) ?? 'color']: color }] as const);
  if (layers.length > 0) editor.edit(setLayers(new Map(patches)));
  else if (at === null || frontAt(editor, at)) editor.host.tell(texts.value.library.selectForColor);
  else editor.edit((document) => ({ ...document, background: color }));
}

function addTextStyle(editor: EditorState, style: string, at: Point | null): void {
  const layers = targets(editor, at, ({ type }) => type === 'text');
  if (layers.length === 0) {
    const layer = { type: 'text', name: 'text', text: '', textStyle: style };
    insertNew(editor, layer, null, at ?? middleOf(editor));
    return;
  }
  // What the layers set themselves would hide the style.
  const own = Object.keys((resolved(style, brandOf(editor)?.textStyles) as Fields | undefined) ?? {});
  const patch = { ...Object.fromEntries(own.map((property) => [property, undefined])), textStyle: style };
  editor.edit(setLayers(new Map(layers.map(({ name }) => [name, patch]))));
}

function addFont(editor: EditorState, fontFamily: string, at: Point | null): void {
  const [under] = at === null ? [] : targets(editor, at, ({ type }) => type === 'text');
  if (under) editor.edit(setLayer(under.name, { fontFamily }));
  else if (at === null && selectedTexts(editor).length > 0) styleText(editor, { fontFamily });
  else {
    editor.host.tell(texts.value.library.selectForFont);
    return;
  }
  if (!isReference(fontFamily)) editor.preferences.rememberFont(fontFamily);
}

function middleOf(editor: EditorState): Point {
  const { width, height } = editor.document.peek();
  return { x: Math.round(width / 2 - 100), y: Math.round(height / 2) };
}

// Components.

/** Loads a component and what it shows. @throws Error saying why it cannot be shown in this template */
async function loadComponent(editor: EditorState, reference: string): Promise<RawDocument> {
  const { designs } = editor.compositor;
  const { name, width, height, brand, lang, currency } = editor.stored.peek();
  const layer = { type: 'template', name: 'component', template: reference };
  const shown = { name, width, height, brand, lang, currency, layers: [layer] };
  while (designs.plain(shown) instanceof Promise) await designs.plain(shown);
  const own = editor.host.key;
  const shows = (one: string): boolean =>
    one.split('@')[0] === own || referencesIn(designs.templates.get(one)).templates.some(shows);
  if (own !== null && shows(reference)) throw new Refusal(texts.value.library.showsItself);
  return designs.templates.get(reference) as RawDocument;
}

async function insertComponent(
  editor: EditorState,
  { reference, name }: Extract<LibraryItem, { kind: 'component' }>,
  at: Point | null,
): Promise<void> {
  const { width, height } = await loadComponent(editor, reference);
  const document = editor.document.peek();
  const { x, y } = at ?? { x: document.width / 2, y: document.height / 2 };
  const layer = { type: 'template', name: name.slice(0, 40), template: reference };
  insertNew(editor, layer, null, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) });
}

/** Shows another component in the place of one, with what was said of the layers that both have. */
export async function swapComponent(editor: EditorState, name: string, reference: string): Promise<void> {
  try {
    const component = await loadComponent(editor, reference);
    const inside = new Set([...walk(component.layers)].map(({ layer }) => layer.name));
    editor.edit((document) => {
      const said = Object.entries((findLayer(document, name)?.modifications ?? {}) as Fields);
      const kept = said.filter(([inner]) => inside.has(inner));
      const modifications = kept.length > 0 ? Object.fromEntries(kept) : undefined;
      return setLayer(name, { template: reference, size: undefined, modifications })(document);
    });
  } catch (error) {
    tellWhy(editor, error);
  }
}

/**
 * Replaces a component by a frame of its layers. They keep the names by which they are filled (`card/title`), their
 * translations, what sizes change of them, and the brand's names if it is the same brand.
 */
export async function detachComponent(editor: EditorState, name: string): Promise<void> {
  try {
    if (!isOwn(editor.view.peek())) throw new Refusal(texts.value.library.detachInDefault);
    const stored = editor.stored.peek();
    const layer = findLayer(stored, name);
    if (layer?.type !== 'template') return;
    const component = await loadComponent(editor, String(layer.template));
    const { width, height, brand, lang, currency } = stored;
    const alone = { name: stored.name, width, height, brand, lang, currency, layers: [layer] };
    const { designs } = editor.compositor;
    let plain = designs.plain(alone);
    while (plain instanceof Promise) {
      await plain;
      plain = designs.plain(alone);
    }
    const [frame] = plain.layers ?? [];
    if (!frame) return;
    const given = (layer.modifications ?? {}) as Fields;
    const isSameBrand = component.brand === brand;
    const sources = new Map([...walk(component.layers)].map((one) => [`${name}/${one.layer.name}`, one.layer]));
    const written = (one: RawLayer): RawLayer => {
      const source = sources.get(one.name) ?? null;
      const isFilled = Object.hasOwn(given, one.name.slice(name.length + 1));
      const own = asWritten(one, isSameBrand && !isFilled ? source : null, written);
      // The template's language, which changes with what is shown of it.
      const { lang: _, ...rest } = own;
      return component.lang === lang && source?.lang === undefined ? (rest as RawLayer) : own;
    };
    editor.editStored((document) => detached(document, written(frame), component, given));
    editor.select([name]);
  } catch (error) {
    tellWhy(editor, error);
  }
}

/** A layer without what it says by default, and with the names of the brand that `source` has. */
function asWritten(layer: RawLayer, source: RawLayer | null, child: (layer: RawLayer) => RawLayer): RawLayer {
  const schemas = LAYER_SCHEMAS[layer.type as LayerType].shape as Readonly<
    Record<string, { safeParse(v: undefined): { data?: unknown } }>
  >;
  const isDefault = (property: string, value: unknown) =>
    value === undefined || JSON.stringify(schemas[property]?.safeParse(undefined).data) === JSON.stringify(value);
  const kept = Object.entries(layer)
    .filter(([property, value]) => property === 'type' || property === 'name' || !isDefault(property, value))
    .map(([property, value]) => [property, isReference(source?.[property]) ? source?.[property] : value]);
  const own = Object.fromEntries(kept) as RawLayer;
  return layer.children ? { ...own, children: layer.children.map(child) } : own;
}

/** The document with a frame in the place of the component of its name. */
function detached(document: RawDocument, frame: RawLayer, component: RawDocument, given: Fields): RawDocument {
  const { name } = frame;
  // What is filled in here is the same in every language.
  const words = Object.entries(textsOf(component)).filter(([inner]) => !Object.hasOwn(given, inner));
  const translated = words.map(([inner, langs]) => [`${name}/${inner}`, langs]);
  const sizes = Object.entries(sizesOf(document)).map(([size, one]) => {
    const change = one.changes?.[name];
    if (typeof change !== 'object' || change === null) return [size, one];
    const { modifications = {}, template: _template, size: _size, ...ofFrame } = change as Fields;
    const inside = Object.entries(modifications as Fields).map(([inner, value]) => [`${name}/${inner}`, value]);
    return [size, { ...one, changes: { ...one.changes, [name]: ofFrame, ...Object.fromEntries(inside) } }];
  });
  return {
    ...changeLayer(document, name, () => frame),
    ...(document.sizes !== undefined && { sizes: Object.fromEntries(sizes) }),
    ...(translated.length > 0 && { texts: { ...Object.fromEntries(translated), ...textsOf(document) } }),
  };
}
