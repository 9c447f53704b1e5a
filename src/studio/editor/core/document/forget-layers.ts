// Keeps what a template says of its layers by name in step with them: changes of sizes, and texts in languages.

import type { Edit } from './document.ts';
import { type RawSizes, type RawTexts, sizesOf, textsOf } from './document.ts';
import { removeParameters } from './parameter-edits.ts';

/** Gives entries other names, or several, or none. The same object if none is meant. */
function renamed<Value>(
  entries: Readonly<Record<string, Value>>,
  to: (name: string) => readonly string[],
): Readonly<Record<string, Value>> {
  const names = Object.keys(entries);
  if (names.every((name) => to(name).join() === name)) return entries;
  return Object.fromEntries(names.flatMap((name) => to(name).map((next) => [next, entries[name] as Value] as const)));
}

const mapNames =
  (to: (name: string) => readonly string[]): Edit =>
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
    mapNames((name) => (names.has(name) ? [] : [name]))(removeParameters(names)(document));

export const renameInDesign = (from: string, to: string): Edit => mapNames((name) => [name === from ? to : name]);

/** Copies look and speak as what they were made of. @param copies by the name of what each was made of */
export const copyInDesign = (copies: ReadonlyMap<string, string>): Edit =>
  mapNames((name) => [name, copies.get(name) ?? []].flat());
