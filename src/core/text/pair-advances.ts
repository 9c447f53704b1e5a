// Shapes text of one face by pairs of characters: HarfBuzz shapes each pair once, and the advances of a text are the sums
// of those of its pairs.
//
// HarfBuzz takes 5 to 15 µs for the text of a table's cell, this a tenth. It has an answer only for texts that HarfBuzz
// would shape alike: see glyph-contexts.ts.

import type { GlyphContexts } from './glyph-contexts.ts';
import type { Glyph } from './glyph-run.ts';
import type { ShapedGlyph } from './shaped-glyph.ts';

/** Visible ASCII and Latin-1 characters and spaces, then some more signs; without the no-break space and the soft hyphen. */
const MORE_SIGNS = '–—‘’“”…€';
const isCharacter = (code: number) => (code >= 0x20 && code < 0x7f) || (code > 0xa0 && code <= 0xff && code !== 0xad);

/** The characters that are shaped by pairs. */
export const PAIRED_CHARACTERS: readonly number[] = [
  ...Array.from({ length: 0x100 }, (_, code) => code).filter(isCharacter),
  ...Array.from(MORE_SIGNS, (sign) => sign.charCodeAt(0)),
];
const COUNT = PAIRED_CHARACTERS.length;

/** The places of characters; -1 = it is not shaped by pairs. */
const PLACES = Int16Array.from({ length: 0x100 }, (_, code) => PAIRED_CHARACTERS.indexOf(code));
const MORE_PLACES: ReadonlyMap<number, number> = new Map(PAIRED_CHARACTERS.map((code, place) => [code, place]));
const placeOf = (code: number): number => (code < 0x100 ? (PLACES[code] ?? -1) : (MORE_PLACES.get(code) ?? -1));

const UNKNOWN = -0x8000;
const NEEDS_MORE = -0x7fff;
/** It depends on what stands around the pair. */
const SUSPECT = -0x7ffe;

/** Bytes that an instance takes. */
export const PAIR_BYTES = 2 * COUNT ** 2;

export interface PlacedGlyphs {
  readonly glyphs: readonly Glyph[];
  /** px. */
  readonly width: number;
}

export class PairAdvances {
  readonly #contexts: GlyphContexts;
  readonly #shape: (text: string) => readonly ShapedGlyph[];
  readonly #unitsPerEm: number;
  /** Of each character by itself; `UNKNOWN` and `NEEDS_MORE` as of pairs. */
  readonly #own = new Int16Array(COUNT).fill(UNKNOWN);
  readonly #glyphs = new Uint16Array(COUNT);
  /** The advance of the first of two characters, in font units. */
  readonly #pairs = new Int16Array(COUNT ** 2).fill(UNKNOWN);
  /** The same of suspect pairs, where they may stand. */
  readonly #suspects = new Map<number, number>();

  /** @param contexts of `PAIRED_CHARACTERS` @param shape with HarfBuzz, from left to right */
  constructor(contexts: GlyphContexts, unitsPerEm: number, shape: (text: string) => readonly ShapedGlyph[]) {
    this.#contexts = contexts;
    this.#unitsPerEm = unitsPerEm;
    this.#shape = shape;
  }

  /** The width of a text, px; null if it has to be shaped as a whole. */
  width(text: string, fontSize: number, start = 0, end = text.length): number | null {
    let pen = 0;
    for (let i = start; i < end; i += 1) {
      const advance = this.#advance(text, i, start, end);
      if (advance === NEEDS_MORE) return null;
      pen += (advance * fontSize) / this.#unitsPerEm;
    }
    return pen;
  }

  /** Its glyphs on the baseline from x = 0; null if it has to be shaped as a whole. */
  glyphs(text: string, fontSize: number): PlacedGlyphs | null {
    const glyphs = new Array<Glyph>(text.length);
    let pen = 0;
    for (let i = 0; i < text.length; i += 1) {
      const units = this.#advance(text, i, 0, text.length);
      if (units === NEEDS_MORE) return null;
      const advance = (units * fontSize) / this.#unitsPerEm;
      glyphs[i] = { id: this.#glyphs[placeOf(text.charCodeAt(i))] ?? 0, cluster: i, x: pen, y: 0, advance };
      pen += advance;
    }
    return { glyphs, width: pen };
  }

  /** The advance of a character in the text from `start` to `end`. */
  #advance(text: string, i: number, start: number, end: number): number {
    const place = placeOf(text.charCodeAt(i));
    if (place < 0) return NEEDS_MORE;
    if (i === end - 1) return this.#ownAdvance(place);
    const next = placeOf(text.charCodeAt(i + 1));
    if (next < 0) return NEEDS_MORE;
    const pair = place * COUNT + next;
    let known = this.#pairs[pair] ?? NEEDS_MORE;
    if (known === UNKNOWN) {
      known = this.#pairAdvance(place, next);
      if (known !== NEEDS_MORE && this.#contexts.isSuspect(place, next)) {
        this.#suspects.set(pair, known);
        known = SUSPECT;
      }
      this.#pairs[pair] = known;
    }
    if (known !== SUSPECT) return known;
    // A closure here would be an object for each character, whether it is called or not.
    const isAllowed = this.#contexts.allowsAround(text, placeOf, i, start, end);
    return isAllowed ? (this.#suspects.get(pair) ?? NEEDS_MORE) : NEEDS_MORE;
  }

  #ownAdvance(place: number): number {
    let own = this.#own[place] ?? NEEDS_MORE;
    if (own === UNKNOWN) {
      const [glyph, ...more] = this.#contexts.allows(place) ? this.#shape(characterAt(place)) : [];
      const isPlain = glyph && more.length === 0 && isLevel(glyph) && glyph.id !== 0;
      own = isPlain ? glyph.xAdvance : NEEDS_MORE;
      this.#own[place] = own;
      this.#glyphs[place] = glyph?.id ?? 0;
    }
    return own;
  }

  #pairAdvance(left: number, right: number): number {
    const [own, next] = [this.#ownAdvance(left), this.#ownAdvance(right)];
    if (own === NEEDS_MORE || next === NEEDS_MORE || !this.#contexts.allowsPair(left, right)) return NEEDS_MORE;
    const [first, second, ...more] = this.#shape(characterAt(left) + characterAt(right));
    const isPlain =
      first &&
      second &&
      more.length === 0 &&
      isLevel(first) &&
      isLevel(second) &&
      second.xAdvance === next &&
      first.id === this.#glyphs[left] &&
      second.id === this.#glyphs[right];
    return isPlain ? first.xAdvance : NEEDS_MORE;
  }
}

const characterAt = (place: number): string => String.fromCharCode(PAIRED_CHARACTERS[place] ?? 0);

/** Whether a glyph is where its pen is, with an advance that can be noted. */
const isLevel = ({ xOffset, yOffset, xAdvance }: ShapedGlyph): boolean =>
  xOffset === 0 && yOffset === 0 && xAdvance > SUSPECT && xAdvance <= 0x7fff;
