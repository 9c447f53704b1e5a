// Sample values for testing a template: far longer than its own, empty, and Arabic, which runs from right to left.

import type { RawLayer, Values } from '../document/document.ts';
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

function valuesOf(layers: readonly RawLayer[], make: (text: string) => string): Values {
  const texts = layers.filter((layer) => layer.type === 'text' && LATIN_LETTERS.test(textOf(layer)));
  return Object.fromEntries(texts.map((layer) => [layer.name, make(textOf(layer))]));
}

/** Repeats whole words up to about this length. */
function cut(text: string, length: number): string {
  const words = text.split(' ');
  let made = '';
  for (let i = 0; made.length < length; i++) made += `${made === '' ? '' : ' '}${words[i % words.length]}`;
  return made;
}
