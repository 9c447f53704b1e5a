// Applies how the page around wants the editor to look: custom properties, language and logo.
//
// Only named properties are taken, and of those only what the browser parses as a colour or a length, so that no value
// loads anything or reaches beyond its property.

import { signal } from '@preact/signals';
import { ui } from '../parts/ui-root.ts';
import { matchLanguage } from '../texts/language.ts';
import { showLanguage } from '../texts/show-language.ts';
import type { Look } from './page-around.ts';

/** The editor's custom properties that `--platen-<name>` sets, and the CSS property by which a value is checked. */
const PROPERTIES: Readonly<Record<string, string>> = {
  accent: 'color',
  'accent-hover': 'color',
  'accent-text': 'color',
  'accent-soft': 'color',
  'on-accent': 'color',
  back: 'color',
  surface: 'color',
  raised: 'color',
  canvas: 'color',
  field: 'color',
  line: 'color',
  'line-strong': 'color',
  text: 'color',
  'text-2': 'color',
  'text-3': 'color',
  ring: 'color',
  'radius-1': 'border-radius',
  'radius-2': 'border-radius',
  'radius-3': 'border-radius',
};

/** The names of `--platen-<name>`. */
export const THEMED: readonly string[] = [...Object.keys(PROPERTIES), 'color-scheme'];

/** The logo's address in this page; null = none. */
export const logo = signal<string | null>(null);

/** @throws if the texts of the language cannot be fetched */
export async function applyLook({ theme, lang, logo: picture }: Look): Promise<void> {
  const root = ui.themed;
  const given = (typeof theme === 'object' && theme !== null ? theme : {}) as Readonly<Record<string, unknown>>;
  for (const [name, property] of Object.entries(PROPERTIES)) {
    const value = given[name];
    const isValid = typeof value === 'string' && !/url|var/i.test(value) && CSS.supports(property, value);
    if (isValid) root.style.setProperty(`--${name}`, value);
    else root.style.removeProperty(`--${name}`);
  }
  const scheme = given['color-scheme'];
  if (scheme === 'light' || scheme === 'dark') root.dataset.theme = scheme;
  else delete root.dataset.theme;
  if (logo.peek() !== null) URL.revokeObjectURL(logo.peek() ?? '');
  logo.value = picture instanceof Blob && picture.type.startsWith('image/') ? URL.createObjectURL(picture) : null;
  // A page that says nothing of its language leaves it to the browser.
  await showLanguage(matchLanguage(typeof lang === 'string' && lang !== '' ? [lang] : navigator.languages));
}
