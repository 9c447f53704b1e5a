// Guesses the category of a family that no catalogue describes.

import type { Category } from './catalog.ts';

/** From the name alone: which families serve as `serif`, `monospace` and emoji. */
export function categoryOf(family: string): Category {
  if (/emoji/i.test(family)) return 'emoji';
  if (/\bmono\b/i.test(family)) return 'monospace';
  return /serif\b/i.test(family) && !/sans/i.test(family) ? 'serif' : 'sans-serif';
}
