// Changes the language of the interface.

import { batch } from '@preact/signals';
import { type Language, language } from './language.ts';
import { translation } from './room.ts';

/**
 * Fetches the texts first, so that nothing is shown in two languages.
 * @throws if they cannot be fetched; then the language stays
 */
export async function showLanguage(next: Language): Promise<void> {
  const texts = next === 'de' ? (await import('./de/index.ts')).german : null;
  batch(() => {
    translation.value = texts;
    language.value = next;
  });
}
