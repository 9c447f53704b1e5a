// Hyphenation patterns in the page: a file a language, loaded when a text asks for it.

import type { Hyphenate, Hyphenators } from '#core/text/hyphenation.ts';
import { hyphenator, patternsOf } from '#core/text/hyphenator.ts';

const FILES = import.meta.glob<{ default: Parameters<typeof hyphenator>[0] }>([
  '../../../../node_modules/hyphen/patterns/*.js',
  '!../../../../node_modules/hyphen/patterns/*.min.js',
  // Church Slavonic: the bundler knows its newest letter as no identifier.
  '!../../../../node_modules/hyphen/patterns/cu.js',
]);

const loaded = new Map<string, Hyphenate>();

/** What there is of these languages; null where patterns are still to be loaded. */
export function readyHyphenators(languages: readonly string[]): Hyphenators | null {
  const hyphenators = new Map<string, Hyphenate>();
  for (const language of languages) {
    const patterns = patternsOf(language);
    if (patterns === null || !fileOf(patterns)) continue;
    const hyphenate = loaded.get(patterns);
    if (!hyphenate) return null;
    hyphenators.set(language, hyphenate);
  }
  return hyphenators;
}

export async function loadHyphenators(languages: readonly string[]): Promise<void> {
  await Promise.all(
    languages.map(async (language) => {
      const patterns = patternsOf(language);
      const file = patterns === null ? undefined : fileOf(patterns);
      if (patterns === null || !file || loaded.has(patterns)) return;
      const module = await file();
      loaded.set(patterns, hyphenator(module.default));
    }),
  );
}

const fileOf = (patterns: string) =>
  Object.entries(FILES).find(([path]) => path.endsWith(`/patterns/${patterns}.js`))?.[1];
