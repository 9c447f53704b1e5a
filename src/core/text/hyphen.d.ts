// The part of `hyphen` 1.14 that is used; it ships no types.

declare module 'hyphen' {
  /** Levels, the trie of patterns, and words whose hyphens are listed. */
  export type PatternsDefinition = readonly [unknown, unknown, Readonly<Record<string, readonly number[]>>?];
  export default function createHyphenator(
    patterns: PatternsDefinition,
    options: { readonly html: boolean; readonly minWordLength: number },
  ): (text: string) => string;
}
