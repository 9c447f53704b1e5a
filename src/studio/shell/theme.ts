// The theme: the system's, or the one chosen in this browser.

import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

/** public/theme.js reads the same key before the first paint. */
const KEY = 'platen-theme';

const kept = localStorage.getItem(KEY);
export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');

export function setTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset.theme = next;
  }
}
