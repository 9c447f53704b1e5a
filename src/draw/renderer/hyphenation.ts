// Loads the hyphenators of languages. The library and a language's patterns are read when a render first needs them.

import type { Hyphenate, Hyphenators } from '#core/text/hyphenation.ts';
import { patternsOf } from '#core/text/hyphenation-patterns.ts';

const loading = new Map<string, Promise<Hyphenate>>();

/** One for each language tag that has patterns; the others are left out. */
export async function loadHyphenators(languages: readonly string[]): Promise<Hyphenators> {
  const loaded = languages.map(async (language) => {
    const patterns = patternsOf(language);
    if (patterns === null) return [];
    const known = loading.get(patterns) ?? load(patterns);
    loading.set(patterns, known);
    return [[language, await known] as const];
  });
  return new Map((await Promise.all(loaded)).flat());
}

async function load(patterns: string): Promise<Hyphenate> {
  const { hyphenator } = await import('#core/text/hyphenator.ts');
  const { default: definition } = await import(`hyphen/patterns/${patterns}.js`);
  return hyphenator(definition);
}
