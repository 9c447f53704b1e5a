// Hyphenates words by a language's TeX patterns (Liang's algorithm), through the library `hyphen`.
//
// The patterns, one file per language, come from the caller. The cache of each hyphenator is bounded.

/// <reference path="./hyphen.d.ts" />
import createHyphenator, { type PatternsDefinition } from 'hyphen';
import type { Hyphenate } from './hyphenation.ts';

const SOFT_HYPHEN = '\u00ad';
/** The library never forgets a word, so it is created anew after this many. */
const KEPT_WORDS = 5_000;

/** @param definition the default export of a pattern file */
export function hyphenator([levels, trie, exceptions]: PatternsDefinition): Hyphenate {
  // The library writes its results into the exceptions that it was given.
  const fresh = () => createHyphenator([levels, trie, { ...exceptions }], { html: false, minWordLength: 5 });
  let hyphenate = fresh();
  let room = KEPT_WORDS;
  return (word) => {
    // Lower case independent of the machine's locale; a word whose length this changes is not hyphenated.
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
