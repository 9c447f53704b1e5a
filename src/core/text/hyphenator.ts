// A hyphenator of a language's patterns: Liang's algorithm over TeX's patterns.
//
// The door to `hyphen`. The patterns, a file a language, come from outside. What a hyphenator remembers is bounded.

/// <reference path="./hyphen.d.ts" />
import createHyphenator, { type PatternsDefinition } from 'hyphen';
import type { Hyphenate } from './hyphenation.ts';

const SOFT_HYPHEN = '\u00ad';
/** The library keeps each word that it was ever given. */
const KEPT_WORDS = 5_000;

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
