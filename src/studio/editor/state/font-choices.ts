// The font families that a person uses and likes, kept in this browser for all templates.

import { effect, signal } from '@preact/signals';
import { read, write } from '../../shell/browser-settings.ts';

const KEY = 'platen-fonts';
const MOST_RECENT = 6;
const MOST_FAVOURITES = 100;

interface Stored {
  readonly recent?: readonly string[];
  readonly favourites?: readonly string[];
}

const stored = read<Stored>(KEY);
/** The last chosen first. */
export const recentFonts = signal<readonly string[]>(stored?.recent ?? []);
export const favouriteFonts = signal<readonly string[]>(stored?.favourites ?? []);
effect(() => write(KEY, { recent: recentFonts.value, favourites: favouriteFonts.value } satisfies Stored));

export function rememberFont(family: string): void {
  recentFonts.value = [family, ...recentFonts.peek().filter((each) => each !== family)].slice(0, MOST_RECENT);
}

export function toggleFavourite(family: string): void {
  const others = favouriteFonts.peek().filter((each) => each !== family);
  const isOne = others.length < favouriteFonts.peek().length;
  favouriteFonts.value = isOne ? others : [...others, family].slice(-MOST_FAVOURITES);
}
