// Hyphenation patterns in the page: a file a language, loaded when a text asks for it.

import type { Hyphenate, Hyphenators } from '#core/text/hyphenation.ts';
import { patternsOf } from '#core/text/hyphenation-patterns.ts';

/** By the name of the patterns; null where there are none. */
const loaded = new Map<string, Hyphenate | null>();

/** What there is of these languages; null where patterns are still to be loaded. */
export function readyHyphenators(languages: readonly string[]): Hyphenators | null {
  const hyphenators = new Map<string, Hyphenate>();
  for (const language of languages) {
    const patterns = patternsOf(language);
    if (patterns === null) continue;
    const hyphenate = loaded.get(patterns);
    if (hyphenate === undefined) return null;
    if (hyphenate) hyphenators.set(language, hyphenate);
  }
  return hyphenators;
}

export async function loadHyphenators(languages: readonly string[]): Promise<void> {
  const wanted = languages
    .flatMap((language) => patternsOf(language) ?? [])
    .filter((patterns) => !loaded.has(patterns));
  if (wanted.length === 0) return;
  const { openHyphenator } = await import('./hyphenation-files.ts');
  await Promise.all(wanted.map(async (patterns) => loaded.set(patterns, await openHyphenator(patterns))));
}
