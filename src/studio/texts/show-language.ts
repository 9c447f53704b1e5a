// Changes the language of the interface.

import { batch } from '@preact/signals';
import { type Language, language } from './language.ts';
import type { Catalog } from './message.ts';
import { translation } from './room.ts';

/** Where the texts of each language are; English is part of every page. */
const FILES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: unknown }>>> = {
  de: () => import('./de.json'),
  fr: () => import('./fr.json'),
};

/**
 * Fetches the texts first, so that nothing is shown in two languages.
 * @throws if they cannot be fetched; then the language stays
 */
export async function showLanguage(next: Language): Promise<void> {
  const texts = next === 'en' ? null : await read(next);
  batch(() => {
    translation.value = texts;
    language.value = next;
  });
}

async function read(lang: Exclude<Language, 'en'>): Promise<Readonly<Record<string, object>>> {
  const [file, { textsOf }] = await Promise.all([FILES[lang](), import('./message.ts')]);
  return textsOf(file.default as Catalog);
}
