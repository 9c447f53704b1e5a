// The files of hyphenation patterns and what reads them: by themselves, as few templates ask for any.

import type { Hyphenate } from '#core/text/hyphenation.ts';
import { hyphenator } from '#core/text/hyphenator.ts';

const FILES = import.meta.glob<{ default: Parameters<typeof hyphenator>[0] }>([
  '../../../../node_modules/hyphen/patterns/*.js',
  '!../../../../node_modules/hyphen/patterns/*.min.js',
  // Church Slavonic: the bundler knows its newest letter as no identifier.
  '!../../../../node_modules/hyphen/patterns/cu.js',
]);

/** @returns null where there is no such file */
export async function openHyphenator(patterns: string): Promise<Hyphenate | null> {
  const file = Object.entries(FILES).find(([path]) => path.endsWith(`/patterns/${patterns}.js`))?.[1];
  return file ? hyphenator((await file()).default) : null;
}
