// Changes the language of the interface.

import { batch } from '@preact/signals';
import { type Language, language } from './language.ts';
import type { Catalog } from './message.ts';
import { translation, warningReader } from './room.ts';

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
  const read = next === 'en' ? null : await readTexts(next);
  batch(() => {
    translation.value = read?.texts ?? null;
    warningReader.value = read?.reader ?? null;
    language.value = next;
  });
}

export async function readTexts(lang: Exclude<Language, 'en'>) {
  const [{ default: file }, { textsOf, sentenceReader }, english] = await Promise.all([
    FILES[lang](),
    import('./message.ts'),
    import('./en/warnings.json'),
  ]);
  const catalog = file as Catalog;
  return { texts: textsOf(catalog), reader: sentenceReader(english.default, catalog.warnings as Catalog) };
}
