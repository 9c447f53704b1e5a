// The language of the interface. English is part of every page; another language is fetched when it is chosen.

import { signal } from '@preact/signals';

/** By BCP 47's primary subtag, with the name that its speakers know. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

/** What is shown; set together with the texts, by show-language.ts. */
export const language = signal<Language>('en');

/** The first of these BCP 47 tags whose language the interface has, whatever its region; otherwise English. */
export function matchLanguage(tags: readonly string[]): Language {
  const primary = tags.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  return primary.find(isLanguage) ?? 'en';
}

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);
