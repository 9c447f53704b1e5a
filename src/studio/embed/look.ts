// Applies how the page around wants the editor to look: custom properties, language and logo.
//
// Only named properties are taken, and of those only what the browser parses as a colour or a length, so that no value
// loads anything or reaches beyond its property.

import { type Signal, signal } from '@preact/signals';
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

/** The logo's address in this page, by the element that has the look; null = none. */
const logos = new WeakMap<HTMLElement, Signal<string | null>>();

export function logoOf(root: HTMLElement): Signal<string | null> {
  const logo = logos.get(root) ?? signal(null);
  logos.set(root, logo);
  return logo;
}

/** @param root gets the custom properties. @throws if the texts of the language cannot be fetched */
export async function applyLook({ theme, lang, logo: picture }: Look, root: HTMLElement): Promise<void> {
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
  const logo = logoOf(root);
  if (logo.peek() !== null) URL.revokeObjectURL(logo.peek() ?? '');
  logo.value = picture instanceof Blob && picture.type.startsWith('image/') ? URL.createObjectURL(picture) : null;
  // A page that says nothing of its language leaves it to the browser.
  const shown = matchLanguage(typeof lang === 'string' && lang !== '' ? [lang] : navigator.languages);
  await showLanguage(shown);
  root.lang = shown;
}
