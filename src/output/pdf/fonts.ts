// The fonts of one document: subsets of faces, as they come into use.

import type { FontSet } from '#core/text/font-set.ts';
import type { PdfDocument } from './document.ts';
import { type FontSource, INVISIBLE, sourceOf } from './font-source.ts';
import { FontSubset, MAX_CODES } from './font-subset.ts';

export class EmbeddedFonts {
  readonly #document: PdfDocument;
  readonly #fonts: FontSet;
  readonly #open = new Map<FontSource, FontSubset>();
  readonly #subsets: FontSubset[] = [];
  #latest: FontSubset | null = null;

  constructor(document: PdfDocument, fonts: FontSet) {
    this.#document = document;
    this.#fonts = fonts;
  }

  /** The subset of a face that takes further glyphs. */
  face(key: string): FontSubset {
    return this.#subset(sourceOf(this.#fonts.face(key)));
  }

  /** The font without a mark. Its units are thousandths of the font size. */
  invisible(): FontSubset {
    return this.#subset(INVISIBLE);
  }

  /** The subset that was used last; the one without a mark where there is none. */
  latest(): FontSubset {
    return this.#latest ?? this.invisible();
  }

  /** Every font that was used; still to be written. */
  get subsets(): readonly FontSubset[] {
    return this.#subsets;
  }

  #subset(source: FontSource): FontSubset {
    const open = this.#open.get(source);
    // Half is kept free, so that a run which starts in a subset also ends in it.
    if (open && open.glyphs.length < MAX_CODES / 2) {
      this.#latest = open;
      return open;
    }
    const reference = this.#document.reserve();
    const subset = new FontSubset(
      source,
      this.#document.resource('Font', reference, () => reference),
    );
    this.#open.set(source, subset);
    this.#subsets.push(subset);
    this.#latest = subset;
    return subset;
  }
}
