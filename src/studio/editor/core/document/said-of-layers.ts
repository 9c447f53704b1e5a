// What languages and sizes say of layers by name: it is renamed, forgotten and copied with them.

import { type Edit, type RawDocument, type RawSizes, type RawTexts, sizesOf, textsOf } from './document.ts';
import { removeParameters } from './parameter-edits.ts';

/** Gives entries other names; null removes one. The same object if none is meant. */
function renamed<Value>(
  entries: Readonly<Record<string, Value>>,
  to: (name: string) => string | null,
): Readonly<Record<string, Value>> {
  const names = Object.keys(entries);
  if (names.every((name) => to(name) === name)) return entries;
  return Object.fromEntries(
    names.flatMap((name): [string, Value][] => {
      const next = to(name);
      return next === null ? [] : [[next, entries[name] as Value]];
    }),
  );
}

const mapNames =
  (to: (name: string) => string | null): Edit =>
  (document) => {
    const [sizes, texts] = [sizesOf(document), textsOf(document)];
    const nextTexts: RawTexts = renamed(texts, to);
    let isSame = nextTexts === texts;
    const nextSizes: RawSizes = Object.fromEntries(
      Object.entries(sizes).map(([name, size]) => {
        const changes = size.changes && renamed(size.changes, to);
        if (changes === size.changes) return [name, size];
        isSame = false;
        return [name, { ...size, changes }];
      }),
    );
    if (isSame) return document;
    return {
      ...document,
      ...(document.sizes !== undefined && { sizes: nextSizes }),
      ...(document.texts !== undefined && { texts: nextTexts }),
    };
  };

/** Layers that are gone have no changes, texts and parameters left. */
export const forgetLayers =
  (names: ReadonlySet<string>): Edit =>
  (document) =>
    mapNames((name) => (names.has(name) ? null : name))(removeParameters(names)(document));

export const renameInDesign = (from: string, to: string): Edit => mapNames((name) => (name === from ? to : name));

/** Texts by layer and language, and changes by size and layer. */
export interface Said {
  readonly texts: RawTexts;
  readonly changes: Readonly<Record<string, RawTexts>>;
}

export function saidOf(document: RawDocument, names: ReadonlySet<string>): Said {
  const only = (name: string) => (names.has(name) ? name : null);
  const changes = Object.entries(sizesOf(document)).map(([size, own]) => [size, renamed(own.changes ?? {}, only)]);
  return { texts: renamed(textsOf(document), only), changes: Object.fromEntries(changes) };
}

/** Copies look and speak as what they were made of. @param copies by the name of what each was made of */
export const saying =
  ({ texts, changes }: Said, copies: ReadonlyMap<string, string>): Edit =>
  (document) => {
    const ofCopies = (entries: RawTexts = {}) => renamed(entries, (name) => copies.get(name) ?? null);
    const words = ofCopies(texts);
    const sizes = Object.entries(sizesOf(document)).map(([name, size]) => {
      const own = Object.entries(ofCopies(changes[name]));
      // A copy is where it was dropped. A string is what it says.
      const merged = own.map(([copy, change]) => {
        const placed = size.changes?.[copy] as object | undefined;
        const patch = typeof change === 'string' ? { text: change, spans: null } : change;
        return [copy, placed ? { ...patch, ...placed } : change];
      });
      return [name, own.length > 0 ? { ...size, changes: { ...size.changes, ...Object.fromEntries(merged) } } : size];
    });
    return {
      ...document,
      ...(document.sizes !== undefined && { sizes: Object.fromEntries(sizes) }),
      ...(Object.keys(words).length > 0 && { texts: { ...textsOf(document), ...words } }),
    };
  };
