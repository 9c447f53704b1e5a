// Names of languages, in the language of the interface.

import { computed } from '@preact/signals';
import { language } from '../texts/language.ts';

const names = computed(() => new Intl.DisplayNames(language.value, { type: 'language' }));

/** `German` for `de`; a tag without a name is itself. */
export function languageName(tag: string): string {
  try {
    return names.value.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
