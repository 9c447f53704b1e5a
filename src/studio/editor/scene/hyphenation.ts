// Hyphenation patterns in the page: one file per language, loaded when a text needs it.

import type { Hyphenate, Hyphenators } from '#core/text/hyphenation.ts';
import { patternsOf } from '#core/text/hyphenation-patterns.ts';

/** By the name of the patterns; null if there are none. */
const loaded = new Map<string, Hyphenate | null>();

/** The hyphenators for these languages; null if patterns must be loaded first. */
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
