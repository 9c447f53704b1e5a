// Names of languages, in the language of the interface.

import { computed } from '@preact/signals';
import { language } from '../texts/language.ts';

const names = computed(() => new Intl.DisplayNames(language.value, { type: 'language' }));

/** Languages that are often wanted, as BCP 47. */
const LANGUAGES =
  'ar bg bn ca cs cy da de de-AT de-CH el en en-GB en-US es es-MX et eu fa fi fr fr-CA ga gl he hi hr hu id is it ja ka ko lt lv mk ms nb nl nn pl pt pt-BR ro ru sk sl sq sr sv sw ta th tr uk ur vi zh-Hans zh-Hant'.split(
    ' ',
  );

/** Those languages with their names, by name. */
export const namedLanguages = (): readonly (readonly [tag: string, name: string])[] =>
  LANGUAGES.map((tag) => [tag, languageName(tag)] as const).sort(([, a], [, b]) => a.localeCompare(b, language.value));

/** `German` for `de`; a tag without a name is itself. */
export function languageName(tag: string): string {
  try {
    return names.value.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
