// The language that was chosen in this browser.

import { signal } from '@preact/signals';
import { isLanguage, type Language, matchLanguage } from './language.ts';
import { showLanguage } from './show-language.ts';

const KEY = 'platen-language';

const kept = localStorage.getItem(KEY) ?? '';
/** null = the first of the browser's languages that the interface has. */
export const chosenLanguage = signal<Language | null>(isLanguage(kept) ? kept : null);

/** @throws if its texts cannot be fetched; then the interface stays as it is */
export async function showChosenLanguage(): Promise<void> {
  const next = chosenLanguage.value ?? matchLanguage(navigator.languages);
  await showLanguage(next);
  document.documentElement.lang = next;
}

/** @throws as `showChosenLanguage` does */
export async function chooseLanguage(next: Language | null): Promise<void> {
  chosenLanguage.value = next;
  if (next === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  await showChosenLanguage();
}
