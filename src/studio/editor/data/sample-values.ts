// Sample values for testing a template: far longer than its own, empty, Arabic, which runs from right to left, and lists
// of other lengths.

import type { RawLayer, Values } from '../document/document.ts';
import { entriesOf, type RawEntry } from '../document/table-edits.ts';
import { textOf } from '../document/text-edits.ts';

const LONG =
  'Donaudampfschifffahrtsgesellschaft und andere außergewöhnlich lange Wörter, wie sie in Überschriften, Namen und Adressen vorkommen';
const ARABIC = 'العنوان الرئيسي للمناسبة السنوية الكبرى في المدينة القديمة';
const LATIN_LETTERS = /\p{L}/u;

/** For texts with letters, values about two and a half times as long. */
export function longestValues(layers: readonly RawLayer[]): Values {
  return valuesOf(layers, (text) => cut(LONG, Math.max(24, Math.ceil(text.length * 2.5))));
}

export function emptyValues(layers: readonly RawLayer[]): Values {
  return valuesOf(layers, () => '');
}

export function rightToLeftValues(layers: readonly RawLayer[]): Values {
  return valuesOf(layers, (text) => cut(ARABIC, Math.max(8, text.length)));
}

/** The layers that a list fills: tables, and frames that repeat. */
export const listsIn = (layers: readonly RawLayer[]): readonly RawLayer[] =>
  layers.filter(
    ({ type, repeat }) => type === 'table' || (type === 'frame' && repeat !== undefined && repeat !== null),
  );

/** Lists of a number of entries: those of the template, over and over. */
export function listValues(layers: readonly RawLayer[], count: number): Values {
  return Object.fromEntries(
    listsIn(layers).map((layer) => {
      const own = entriesOf(layer);
      return [layer.name, Array.from({ length: count }, (_, i) => own[i % Math.max(1, own.length)] ?? {})];
    }),
  );
}

function valuesOf(layers: readonly RawLayer[], make: (text: string) => string): Values {
  const lists = listsIn(layers).flatMap((layer) => {
    const entries = entriesOf(layer).map((entry) => mapTexts(entry, make));
    return entries.length > 0 ? [[layer.name, entries] as const] : [];
  });
  const texts = layers.filter((layer) => layer.type === 'text' && LATIN_LETTERS.test(textOf(layer)));
  return Object.fromEntries([...texts.map((layer) => [layer.name, make(textOf(layer))] as const), ...lists]);
}

/** An entry whose texts with letters are others; numbers and dates stay, since formats read them. */
const mapTexts = (entry: RawEntry, make: (text: string) => string): RawEntry =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === 'string' && LATIN_LETTERS.test(value) ? make(value) : value,
    ]),
  );

/** Repeats whole words up to about this length. */
function cut(text: string, length: number): string {
  const words = text.split(' ');
  let made = '';
  for (let i = 0; made.length < length; i++) made += `${made === '' ? '' : ' '}${words[i % words.length]}`;
  return made;
}
