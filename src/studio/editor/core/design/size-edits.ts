// Edits of the sizes and the languages of a template.

import { SizeName } from '#core/template/size.ts';
import { languagesOf } from '#design/choice.ts';
import { texts } from '../../../texts/editor.ts';
import type { Edit, RawDocument, RawLayer } from '../document/document.ts';
import { layersByName, type RawSize, sizesOf, textsOf, walk } from '../document/document.ts';
import { uniqueName } from '../document/names.ts';
import { without } from './merge-patch.ts';
import { patchOf } from './view.ts';

const withSizes = (document: RawDocument, sizes: Readonly<Record<string, RawSize>> | undefined): RawDocument => {
  const { sizes: _before, ...rest } = document;
  return { ...(rest as RawDocument), ...(sizes && { sizes }) };
};

/** @returns the name that it has */
export function addSize(document: RawDocument, wanted: string, width: number, height: number) {
  const sizes = sizesOf(document);
  const name = uniqueName(wanted, new Set(Object.keys(sizes)));
  return { name, document: withSizes(document, { ...sizes, [name]: { width, height } }) };
}

/** Why a size cannot have this name; null: it can. */
export function sizeNameProblem(document: RawDocument, from: string, to: string): string | null {
  if (!SizeName.safeParse(to).success) return texts.value.design.isNoName;
  return to !== from && Object.hasOwn(sizesOf(document), to) ? texts.value.design.sizeNameTaken(to) : null;
}

/** Renames a size, which keeps its place. */
export const renameSize =
  (from: string, to: string): Edit =>
  (document) =>
    from === to || sizeNameProblem(document, from, to) !== null
      ? document
      : withSizes(
          document,
          Object.fromEntries(
            Object.entries(sizesOf(document)).map(([name, size]) => [name === from ? to : name, size]),
          ),
        );

export const removeSize =
  (name: string): Edit =>
  (document) =>
    withSizes(document, without(sizesOf(document), name));

export const withSize = (stored: RawDocument, size: string, change: (size: RawSize) => RawSize): RawDocument => {
  const sizes = sizesOf(stored);
  const one = sizes[size];
  return one ? { ...stored, sizes: { ...sizes, [size]: change(one) } } : stored;
};

/** @param value as in a merge patch; undefined = the property does not differ */
export function withChange(stored: RawDocument, size: string, name: string, key: string, value: unknown): RawDocument {
  const layer = layersByName(stored).get(name)?.layer;
  const { changes = {} } = sizesOf(stored)[size] ?? {};
  const before = Object.hasOwn(changes, name) ? changes[name] : undefined;
  if (before === undefined && value === undefined) return stored;
  const patch = layer && before !== undefined ? patchOf(layer, before) : {};
  const after = value === undefined ? without(patch, key) : { ...patch, [key]: value };
  const next = after === undefined ? without(changes, name) : { ...changes, [name]: after };
  return withSize(stored, size, ({ changes: _changes, ...one }) => (next ? { ...one, changes: next } : one));
}

/** Gives a size words of its own, at first those that a text has; words without that are those of all sizes. */
export const withOwnWords =
  (size: string, { name, text, spans }: RawLayer): Edit =>
  (document) =>
    withChange(document, size, name, spans ? 'spans' : 'text', spans ?? text);

/** A layer is in a size again as in the others. @param key one property; null = all */
export const resetChange =
  (size: string, layer: string, key: string | null): Edit =>
  (document) => {
    if (key !== null) return withChange(document, size, layer, key, undefined);
    const sizes = sizesOf(document);
    const one = sizes[size];
    if (!one?.changes) return document;
    const { changes: _changes, ...rest } = one;
    const changes = without(one.changes, layer);
    return withSizes(document, { ...sizes, [size]: changes ? { ...rest, changes } : rest });
  };

/** Nothing differs in a size any more. */
export const resetSize =
  (size: string): Edit =>
  (document) => {
    const { changes: _changes, ...rest } = sizesOf(document)[size] ?? { width: 1, height: 1 };
    return withSizes(document, { ...sizesOf(document), [size]: rest });
  };

/** Begins a language, which has no words yet: in the first text, or else the first layer. */
export const addLanguage =
  (lang: string): Edit =>
  (document) => {
    const layers = [...walk(document.layers)].map(({ layer }) => layer);
    const layer = layers.find(({ type }) => type === 'text') ?? layers[0];
    if (!layer || languagesOf(document as never).includes(lang)) return document;
    const texts = textsOf(document);
    return { ...document, texts: { ...texts, [layer.name]: { ...texts[layer.name], [lang]: {} } } };
  };

/** Removes a language with all its texts. */
export const removeLanguage =
  (lang: string): Edit =>
  ({ texts: _texts, ...document }) => {
    const texts = Object.entries(textsOf({ ...document, texts: _texts } as RawDocument)).flatMap(
      ([name, byLanguage]) => {
        const left = without(byLanguage, lang);
        return left ? [[name, left] as const] : [];
      },
    );
    return { ...(document as RawDocument), ...(texts.length > 0 && { texts: Object.fromEntries(texts) }) };
  };
