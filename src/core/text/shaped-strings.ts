// Caches the shaped strings of one face.
//
// By text first: looking up a text takes 50 ns, making one key of it and all that it was shaped with 600 ns, as measured
// with the words of a Japanese page.

import { LruCache } from '../lru-cache.ts';
import type { ShapedGlyph, ShapeOptions } from './shaped-glyph.ts';

/** How many characters are kept in all. */
const KEPT_CHARACTERS = 20_000;
/** Longer strings are not kept: they hardly ever recur. */
const LONGEST_KEPT = 500;
/** In how many ways one text is kept. */
const MAX_VARIANTS = 8;

interface Shaped {
  readonly options: ShapeOptions;
  readonly glyphs: readonly ShapedGlyph[];
}

export class ShapedStrings {
  readonly #variants = new LruCache<string, readonly Shaped[]>(KEPT_CHARACTERS);

  /** How many characters are kept. */
  get characters(): number {
    return this.#variants.weight;
  }

  /** The glyphs of a text shaped with equal options; the first time, what `shape` returns. */
  get(text: string, options: ShapeOptions, shape: (text: string, options: ShapeOptions) => readonly ShapedGlyph[]) {
    if (text.length > LONGEST_KEPT) return shape(text, options);
    const variants = this.#variants.get(text) ?? NONE;
    for (const variant of variants) if (isEqual(variant.options, options)) return variant.glyphs;
    const glyphs = shape(text, options);
    const kept = [{ options, glyphs }, ...variants.slice(0, MAX_VARIANTS - 1)];
    this.#variants.set(copyOf(text), kept, kept.length * text.length);
    return glyphs;
  }
}

const NONE: readonly Shaped[] = [];

/** An equal string of its own: V8 keeps the whole text that a slice of 13 units or more was cut from. */
function copyOf(text: string): string {
  if (text.length < 13) return text;
  return String.fromCharCode(...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)));
}

function isEqual(a: ShapeOptions, b: ShapeOptions): boolean {
  return (
    a.script === b.script &&
    a.direction === b.direction &&
    a.language === b.language &&
    a.before === b.before &&
    a.after === b.after &&
    haveEqualFeatures(a.features, b.features)
  );
}

function haveEqualFeatures(a: ShapeOptions['features'], b: ShapeOptions['features']): boolean {
  if (a === b) return true;
  for (const tag in a) if (a[tag] !== b[tag]) return false;
  for (const tag in b) if (!Object.hasOwn(a, tag)) return false;
  return true;
}
