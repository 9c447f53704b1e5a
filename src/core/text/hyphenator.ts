// Which hyphenation patterns a language has, and a hyphenator of them: Liang's algorithm over TeX's patterns.
//
// The door to `hyphen`. The patterns, a file a language, come from outside. What a hyphenator remembers is bounded.

/// <reference path="./hyphen.d.ts" />
import createHyphenator, { type PatternsDefinition } from 'hyphen';
import type { Hyphenate } from './hyphenation.ts';

/** Languages whose patterns go by their own name. */
const PLAIN = new Set(
  'af be bg ca cs cy da es et eu fi fr fur ga gl hr hsb hu hy ia id is it ka kmr la lt lv mk nb nl nn oc pl pms pt rm ro ru sk sl sq sv tk tr uk'.split(
    ' ',
  ),
);
/** Languages, or regions of them, whose patterns have another name. */
const OTHER: ReadonlyMap<string, string> = new Map([
  ['de', 'de-1996'],
  ['el', 'el-monoton'],
  ['en', 'en-us'],
  ['en-au', 'en-gb'],
  ['en-gb', 'en-gb'],
  ['en-ie', 'en-gb'],
  ['en-nz', 'en-gb'],
  ['mn', 'mn-cyrl'],
  ['no', 'nb'],
  ['sr', 'sr-cyrl'],
  ['sr-latn', 'sh-latn'],
]);
const SOFT_HYPHEN = '\u00ad';
/** The library keeps each word that it was ever given. */
const KEPT_WORDS = 5_000;

/** The name of the file of patterns for a language tag (BCP 47); null = there is none. */
export function patternsOf(tag: string): string | null {
  const [primary = '', second = ''] = tag.toLowerCase().split('-');
  return OTHER.get(`${primary}-${second}`) ?? OTHER.get(primary) ?? (PLAIN.has(primary) ? primary : null);
}

/** @param definition the default export of a file of patterns */
export function hyphenator([levels, trie, exceptions]: PatternsDefinition): Hyphenate {
  // The library writes what it finds into the exceptions it was given.
  const fresh = () => createHyphenator([levels, trie, { ...exceptions }], { html: false, minWordLength: 5 });
  let hyphenate = fresh();
  let room = KEPT_WORDS;
  return (word) => {
    // Lower case by the language of no machine, and only where that moves no letter.
    const lower = word.toLowerCase();
    if (lower.length !== word.length) return [];
    if (room-- === 0) {
      hyphenate = fresh();
      room = KEPT_WORDS;
    }
    const parts = hyphenate(lower).split(SOFT_HYPHEN);
    let offset = 0;
    return parts.slice(0, -1).map((part) => (offset += part.length));
  };
}
