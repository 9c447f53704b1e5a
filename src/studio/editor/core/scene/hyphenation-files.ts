// The hyphenation pattern files and their reader: a module of its own, because few templates need it.

import type { Hyphenate } from '#core/text/hyphenation.ts';
import { hyphenator } from '#core/text/hyphenator.ts';

const FILES = import.meta.glob<{ default: Parameters<typeof hyphenator>[0] }>([
  '../../../../../node_modules/hyphen/patterns/*.js',
  '!../../../../../node_modules/hyphen/patterns/*.min.js',
  // Church Slavonic: its newest letter is not an identifier character for the bundler.
  '!../../../../../node_modules/hyphen/patterns/cu.js',
]);

/** @returns null if there is no such file */
export async function openHyphenator(patterns: string): Promise<Hyphenate | null> {
  const file = Object.entries(FILES).find(([path]) => path.endsWith(`/patterns/${patterns}.js`))?.[1];
  return file ? hyphenator((await file()).default) : null;
}
